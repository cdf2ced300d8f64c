// Transactions of one process that join each other's operations, against real shards.

import { afterEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import type { ConnectOptions } from '../connect.ts';
import { inProcessCluster, type ClusterOptions, type InProcessCluster } from '../testing/in-process-cluster.ts';
import type { Tx } from '../transaction/tx.ts';

let cluster: InProcessCluster;
afterEach(() => cluster.stop());

async function started(options: Partial<ConnectOptions> = {}, clusterOptions: ClusterOptions = {}): Promise<Claret> {
  // The phase leaves enough time for joins on a busy machine.
  cluster = await inProcessCluster({ ...clusterOptions, shardOptions: { phaseCapMs: 500, ...clusterOptions.shardOptions } });
  const claret = await cluster.connect({ combining: 'on', deferral: false, ...options });
  await claret.transact('Fill', [claret.on.set('s').add('a'), claret.on.topK('top').add('x', 3), claret.on.topK('top').add('y', 2)]);
  return claret;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const sharedHolders = () => cluster.shards.reduce((total, shard) => total + shard.counters().sharedHolders, 0);
const executed = () => cluster.shards.reduce((total, shard) => total + shard.counters().operations, 0);

/** A transaction that reads and then stays open until `go` is called. */
function open<Result>(claret: Claret, body: (tx: Tx) => PromiseLike<Result>, then: (tx: Tx) => unknown = () => {}) {
  let go!: (error?: Error) => void;
  const released = new Promise<Error | undefined>((resolve) => void (go = resolve));
  let read!: (result: Result) => void;
  const result = new Promise<Result>((resolve) => void (read = resolve));
  const ended = claret.transaction('Open', async (tx) => {
    read(await body(tx));
    const error = await released;
    if (error !== undefined) throw error;
    await then(tx);
  });
  ended.catch(() => {});
  return { result, go, ended };
}

const size = (tx: Tx) => tx.set('s').size();
const anotherClient = () => cluster.connect({ combining: 'off', deferral: false });

describe('transactions that await the same read at once', () => {
  it('send it once, and otherwise only their commits', async () => {
    const claret = await started();
    const before = { executed: executed(), ...claret.counters };
    const sizes = await Promise.all(times(64, () => claret.transaction('Read', async (tx) => await tx.set('s').size())));
    expect(new Set(sizes)).toEqual(new Set([1]));
    expect(executed() - before.executed).toBe(1);
    expect(claret.counters.combined - before.combined).toBe(63);
    expect(claret.counters.neverSent - before.neverSent).toBe(63);
    expect(sharedHolders()).toBe(0);
  });

  it('combine on a hot record but not on a cold one in mode auto', async () => {
    const claret = await started({ combining: 'auto' });
    const before = executed();
    await Promise.all(times(256, () => claret.transaction('Read', async (tx) => await tx.set('s').size())));
    expect(executed() - before).toBeLessThan(32);
    const after = executed();
    await Promise.all(times(64, (i) => claret.transaction('Read', async (tx) => await tx.set(`cold${i}`).size())));
    expect(executed() - after).toBe(64);
  });

  it('each send their own read if combining is off', async () => {
    const claret = await started({ combining: 'off' });
    const before = executed();
    await Promise.all(times(64, () => claret.transaction('Read', async (tx) => await tx.set('s').size())));
    expect(executed() - before).toBe(64);
    expect(claret.counters).toMatchObject({ combined: 0, neverSent: 0 });
  });

  it('follow the conditions of the cluster by default', async () => {
    const claret = await started({ combining: undefined });
    const now = (combining: 'on' | 'off', locks: 'abstract' | 'none' = 'abstract') =>
      cluster.shards[0]!.setConditions({ locks, phasing: true, combining }, performance.timeOrigin + performance.now(), performance.now());
    const sent = async () => {
      await claret.transact('See', [claret.on.set('s').size()]);
      const before = executed();
      await Promise.all(times(3, () => claret.transaction('Read', async (tx) => await tx.set('s').size())));
      return executed() - before;
    };
    expect(await sent()).toBe(3);
    now('on');
    expect(await sent()).toBe(1);
    now('on', 'none');
    expect(await sent()).toBe(3);
    now('off');
    expect(await sent()).toBe(3);
  });

  it('get their own copies of the result', async () => {
    const claret = await started();
    const results = await Promise.all(
      times(3, () =>
        claret.transaction('Read', async (tx) => {
          const top = await tx.topK('top').top(2);
          const seen = structuredClone(top);
          top[0]![0] = 'mine now';
          top.length = 1;
          return seen;
        }),
      ),
    );
    for (const result of results)
      expect(result).toEqual([
        ['x', 3],
        ['y', 2],
      ]);
  });
});

describe('a member', () => {
  it('that aborts does not affect the others, even if it is the creator', async () => {
    const claret = await started();
    const creator = open(claret, size);
    expect(await creator.result).toBe(1);
    const [one, two] = [open(claret, size), open(claret, size)];
    expect(await Promise.all([one.result, two.result])).toEqual([1, 1]);
    expect(claret.counters.neverSent).toBe(2);
    creator.go(new Error('changed its mind'));
    one.go(new Error('changed its mind'));
    await expect(creator.ended).rejects.toThrow('changed its mind');
    await expect(one.ended).rejects.toThrow('changed its mind');
    expect(sharedHolders()).toBe(1);
    two.go();
    await two.ended;
    expect(claret.counters.retries).toBe(0);
    expect(sharedHolders()).toBe(0);
  });

  it('that changes the record takes over its own read and waits for the others', async () => {
    const claret = await started();
    const creator = open(claret, size, (tx) => tx.set('s').add('b'));
    await creator.result;
    const reader = open(claret, size);
    await reader.result;
    creator.go();
    await pause(10);
    reader.go();
    await Promise.all([creator.ended, reader.ended]);
    expect(claret.counters.retries).toBe(0);
    expect(await claret.transact('Read', [claret.on.set('s').size()])).toEqual([2]);
    expect(sharedHolders()).toBe(0);
  });

  it('that is the last one can change the record without waiting for itself, with or without phasing', async () => {
    for (const phasing of [true, false]) {
      const claret = await started({}, { shardOptions: { woundDelayMs: 10_000 } });
      cluster.shards[0]!.setConditions(
        { locks: 'abstract', phasing, combining: 'on' },
        performance.timeOrigin + performance.now(),
        performance.now(),
      );
      const creator = open(claret, size);
      await creator.result;
      const joiner = open(claret, size, (tx) => tx.set('s').add('b'));
      await joiner.result;
      expect(claret.counters.neverSent).toBe(1);
      creator.go();
      await creator.ended;
      joiner.go();
      await joiner.ended;
      expect(claret.counters).toMatchObject({ retries: 0, denials: 0 });
      if (phasing) await cluster.stop();
    }
  });

  it('keeps its lock through the process while its body runs, and releases it at its end', async () => {
    const claret = await started({}, { shardOptions: { woundDelayMs: 10_000 } });
    const creator = open(claret, size);
    await creator.result;
    const reader = open(claret, size);
    await reader.result;
    creator.go();
    await creator.ended;
    const other = await anotherClient();
    const writing = other.transact('Write', [other.on.set('s').add('b')]);
    let written = false;
    void writing.then(() => void (written = true));
    await pause(10);
    expect(written).toBe(false);
    reader.go();
    await reader.ended;
    await writing;
    expect(claret.counters.retries).toBe(0);
  });

  it('that has only joined operations, on both shards, commits without executing any', async () => {
    const claret = await started({}, { shards: 2 });
    // Readers that run this body only join operations, on both shards.
    const both = (tx: Tx) => Promise.all(times(8, (i) => tx.counter(`c${i}`).value()));
    const creator = open(claret, both);
    await creator.result;
    const before = executed();
    const readers = times(10, () => claret.transaction('Both', both));
    expect(new Set((await Promise.all(readers)).flat())).toEqual(new Set([0]));
    expect(executed()).toBe(before);
    creator.go();
    await creator.ended;
    expect(sharedHolders()).toBe(0);
  });
});

describe('a void operation', () => {
  it('equal to one that stands is never sent, but applied by each transaction that commits', async () => {
    const claret = await started();
    const add = (tx: Tx) => tx.set('s').add('new');
    const creator = open(claret, add);
    await creator.result;
    const joiner = open(claret, add);
    await joiner.result;
    expect(claret.counters).toMatchObject({ combined: 1, neverSent: 1 });
    creator.go(new Error('changed its mind'));
    await expect(creator.ended).rejects.toThrow();
    joiner.go();
    await joiner.ended;
    expect(await claret.transact('Read', [claret.on.set('s').contains('new')])).toEqual([true]);
  });

  it('that is covered resolves at once and is sent with the commit', async () => {
    const claret = await started();
    const creator = open(claret, (tx) => tx.set('s').add('one'));
    await creator.result;
    const before = claret.counters.frames;
    const other = open(claret, (tx) => tx.set('s').add('two'));
    await other.result;
    expect(claret.counters.frames).toBe(before);
    expect(claret.counters).toMatchObject({ combined: 1, neverSent: 0 });
    other.go();
    creator.go();
    await Promise.all([other.ended, creator.ended]);
    expect(await claret.transact('Read', [claret.on.set('s').size()])).toEqual([3]);
  });

  it('is not covered under reader/writer locks', async () => {
    const claret = await started();
    cluster.shards[0]!.setConditions(
      { locks: 'rw', phasing: true, combining: 'on' },
      performance.timeOrigin + performance.now(),
      performance.now(),
    );
    await claret.transact('See', [claret.on.set('s').size()]);
    await Promise.all(
      times(4, (i) =>
        claret.transaction('Add', async (tx) => {
          await tx.set('s').add(`m${i}`);
        }),
      ),
    );
    expect(claret.counters.combined).toBe(0);
    expect(await claret.transact('Read', [claret.on.set('s').size()])).toEqual([5]);
  });
});

describe('an older transaction that waits', () => {
  it('makes the process release the shared operation, and wounds only the younger members', async () => {
    const claret = await started({}, { shardOptions: { woundDelayMs: 2, woundGraceMs: 100 } });
    const other = await anotherClient();
    const elder = open(claret, size);
    await elder.result;
    // The writer is younger than the first transaction and older than the next one.
    const writer = open(
      other,
      (tx) => tx.counter('elsewhere').value(),
      (tx) => tx.set('s').add('b'),
    );
    await writer.result;
    const younger = open(claret, size);
    await younger.result;
    expect(claret.counters.neverSent).toBe(1);
    writer.go();
    await expect.poll(sharedHolders, { interval: 2 }).toBe(0);
    await expect.poll(() => claret.counters.wounds, { interval: 2, message: 'wound of the younger transaction' }).toBe(1);
    expect(claret.counters.retries).toBe(0);
    elder.go();
    younger.go();
    await Promise.all([elder.ended, younger.ended, writer.ended]);
    expect(claret.counters.retries).toBe(0);
  });

  it('makes the shard break the shared operation if the process does not answer', async () => {
    const claret = await started({}, { shardOptions: { woundDelayMs: 2, woundGraceMs: 10 } });
    const creator = open(claret, size);
    await creator.result;
    const joiner = open(claret, size);
    await joiner.result;
    creator.go(new Error('changed its mind'));
    const deaf = cluster.hosts[0]!;
    const take = deaf.take.bind(deaf);
    const other = await anotherClient();
    await other.transact('Warm', [other.on.counter('c').value()]);
    const kept: [number, Uint8Array][] = [];
    deaf.take = (peer, bytes) => void (peer === 1 ? kept.push([peer, bytes]) : take(peer, bytes));
    await expect(creator.ended).rejects.toThrow();
    await other.transact('Write', [other.on.set('s').add('b')]);
    deaf.take = take;
    for (const frame of kept) take(...frame);
    joiner.go();
    await joiner.ended;
    expect(claret.counters.retries, 'its join was broken').toBe(1);
    expect(cluster.shards[0]!.counters().aborts).toMatchObject({ join_broken: 1 });
  });

  it('sees the wait of every lock holder, also for an operation that its own process has already requested', async () => {
    const claret = await started({}, { shardOptions: { woundDelayMs: 2, woundGraceMs: 10_000 } });
    const other = await anotherClient();
    const writer = open(other, (tx) => tx.set('s').add('w'));
    await writer.result;
    const elder = open(
      other,
      (tx) => tx.counter('e').value(),
      (tx) => tx.counter('x').value(),
    );
    await elder.result;
    const asks = claret.transaction('Asks', async (tx) => await tx.set('s').size());
    await pause(1);
    const waits = claret.transaction('Waits', async (tx) => {
      await tx.counter('x').add(1);
      await tx.set('s').size();
    });
    await expect.poll(() => claret.counters.operations, { interval: 2 }).toBe(6);
    await pause(5);
    expect(cluster.shards[0]!.counters().waiting, 'both wait, and one of them holds x').toBe(2);
    elder.go();
    await elder.ended;
    expect(cluster.shards[0]!.counters().aborts).toMatchObject({ wounded: 1 });
    writer.go();
    await Promise.all([writer.ended, asks, waits]);
    expect(sharedHolders()).toBe(0);
  });

  it('is not starved by an endless stream of joiners', async () => {
    const claret = await started({}, { shardOptions: { phaseCapMs: 2 } });
    const other = await anotherClient();
    let running = true;
    let reads = 0;
    const reader = async () => {
      while (running) {
        await claret.transaction('Read', async (tx) => await tx.set('s').size());
        reads++;
      }
    };
    const readers = times(32, reader);
    const longest: number[] = [];
    for (let i = 0; i < 20; i++) {
      const began = performance.now();
      await other.transact('Write', [other.on.set('s').add(`w${i}`)]);
      longest.push(performance.now() - began);
    }
    running = false;
    await Promise.all(readers);
    expect(reads).toBeGreaterThan(20);
    expect(Math.max(...longest)).toBeLessThan(500);
    expect(sharedHolders()).toBe(0);
  });
});

describe('a session that breaks', () => {
  it('causes a retry of the transactions that had joined there, even if the shard never heard of them', async () => {
    const claret = await started();
    const creator = open(claret, size);
    await creator.result;
    const joiner = open(claret, size);
    await joiner.result;
    cluster.hosts[0]!.breakSessions();
    creator.go();
    joiner.go();
    await Promise.all([creator.ended, joiner.ended]);
    expect(claret.counters.retries).toBe(2);
    expect(sharedHolders()).toBe(0);
  });

  it("because of a shard's restart leaves no join behind", async () => {
    const claret = await started();
    const creator = open(claret, size);
    await creator.result;
    const joiner = open(claret, size, (tx) => tx.set('s').add('b'));
    await joiner.result;
    expect(claret.counters.neverSent).toBe(1);
    cluster.restart(0);
    creator.go();
    joiner.go();
    await Promise.all([creator.ended, joiner.ended]);
    expect(await claret.transact('Read', [claret.on.set('s').members(10)]), 'the content of the memory is lost').toEqual([['b']]);
    expect(sharedHolders()).toBe(0);
  });

  it('while transactions wait for the creator leaves none of them waiting', async () => {
    const claret = await started();
    const all = Promise.all(times(16, () => claret.transaction('Read', async (tx) => await tx.set('s').size())));
    setImmediate(() => cluster.hosts[0]!.breakSessions());
    expect(new Set(await all)).toEqual(new Set([1]));
    expect(sharedHolders()).toBe(0);
  });
});

describe('a storm on hot records', () => {
  it.each(['on', 'auto', 'off'] as const)('gives correct totals: %s', { timeout: 30_000 }, async (combining) => {
    const claret = await started({ combining }, { shards: 2, shardOptions: { phaseCapMs: 2 } });
    const second = await cluster.connect({ combining, deferral: false });
    const body = (i: number) => async (tx: Tx) => {
      const before = Number(await tx.counter('hot').value());
      await tx.set('members').contains(`m${i % 7}`);
      if (i % 3 === 0) tx.counter('hot').add(1);
      if (i % 2 === 0) await tx.set('members').add(`m${i % 50}`);
      tx.counter('all').add(1);
      return before;
    };
    const combined = () => claret.counters.combined + second.counters.combined;
    // In a slow process every join may come too late, so a storm may have none.
    let storms = 0;
    do {
      await Promise.all(times(600, (i) => (i % 2 === 0 ? claret : second).transaction('Storm', body(i))));
      storms++;
    } while (combining !== 'off' && combined() === 0 && storms < 20);
    const read = await claret.transact('Read', [
      claret.on.counter('hot').value(),
      claret.on.counter('all').value(),
      claret.on.set('members').size(),
    ]);
    expect(read).toEqual([200 * storms, 600 * storms, 25]);
    expect(combined() > 0).toBe(combining !== 'off');
    for (const shard of cluster.shards) expect(shard.counters()).toMatchObject({ attemptsInFlight: 0, sharedHolders: 0 });
  });
});
