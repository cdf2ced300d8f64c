// The client against real shards whose sessions break and which restart: the guarantees if answers are lost.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { ClaretError } from '../errors/claret-error.ts';
import { CalmEnvironment } from '../testing/calm-environment.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { freshSeed, randomFrom } from '../testing/random.ts';
import { keyOn } from '../testing/keys.ts';
import type { Change } from '../watching/watches.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');
const SET_A = keyOn(0, 'set');
const SET_B = keyOn(1, 'set');
const until = async (condition: () => boolean) => {
  await expect.poll(condition, { interval: 2 }).toBe(true);
};

let environment: CalmEnvironment;
const pause = (ms: number) => environment.pause(ms);
let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  environment = new CalmEnvironment();
  cluster = await inProcessCluster({ shards: 2, environment });
  claret = await cluster.connect({ name: 'test' });
});

afterEach(() => cluster.stop());

/** Every member of a set of any size. */
async function members(reader: Claret, key: string): Promise<Set<string>> {
  const all = new Set<string>();
  for (let after: string | null = null; ;) {
    const [page]: [string[]] = await reader.transact('Members', [reader.on.set(key).members(1000, after)]);
    for (const member of page) all.add(member);
    if (page.length < 1000) return all;
    after = page.at(-1)!;
  }
}

describe('a session that breaks', () => {
  it('in the middle of a transaction causes one retry', async () => {
    let runs = 0;
    await claret.transaction('Interrupted', async (tx) => {
      runs++;
      tx.counter(A).add(1);
      await tx.counter(B).value();
      if (runs === 1) cluster.hosts[1]!.breakSessions();
      await tx.counter(B).value();
      tx.counter(B).add(1);
    });
    expect(runs).toBe(2);
    expect(await claret.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()])).toEqual([1, 1]);
    expect(claret.counters.sessionsLost).toBe(1);
  });

  it('before the shard has received the commit causes a retry', async () => {
    await claret.transact('Warm', [claret.on.counter(A).value()]);
    const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
    // The frame leaves in the next turn, and the shard receives it in the turn after that.
    setImmediate(() => cluster.hosts[0]!.breakSessions());
    await adding;
    expect(claret.counters.retries).toBe(1);
    expect(await claret.transact('Read', [claret.on.counter(A).value()])).toEqual([1]);
  });

  it('after the shard has committed causes no second commit', async () => {
    await claret.transact('Warm', [claret.on.counter(A).value()]);
    cluster.hosts[0]!.breakInsteadOfAnswering();
    await claret.transact('Add', [claret.on.counter(A).add(1)]);
    expect(claret.counters.retries).toBe(0);
    expect(await claret.transact('Read', [claret.on.counter(A).value()])).toEqual([1]);
  });

  it('after the commit but before the result arrives is reported as applied', async () => {
    await claret.transact('Warm', [claret.on.counter(A).value()]);
    cluster.hosts[0]!.breakInsteadOfAnswering();
    const lost = claret.transact('Both', [claret.on.counter(A).value(), claret.on.counter(A).add(1)]);
    await expect(lost).rejects.toMatchObject({ code: 'result_lost', commitState: 'applied', retryable: false });
    expect(await claret.transact('Read', [claret.on.counter(A).value()])).toEqual([1]);
  });

  it('again and again neither loses, repeats nor splits a commit', async () => {
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    const committed = new Set<string>();
    const applied = new Set<string>();
    const undone = new Set<string>();
    const unknown = new Set<string>();
    let next = 0;
    let running = true;
    const worker = async (client: Claret) => {
      while (running) {
        const id = `t${next++}`;
        const kind = random.below(3);
        const work =
          kind === 0
            ? client.transact('OneShot', [
                client.on.set(SET_A).add(id),
                client.on.set(SET_B).add(id),
                client.on.counter(A).add(1),
                client.on.counter(B).add(1),
              ])
            : client.transaction('Interactive', async (tx) => {
                if (kind === 1) await tx.counter(random.pick([A, B])).value();
                tx.set(SET_A).add(id);
                await tx.set(SET_B).contains(kind === 1 ? id : 'not there');
                tx.set(SET_B).add(id);
                tx.counter(A).add(1);
                tx.counter(B).add(1);
              });
        await work.then(
          () => committed.add(id),
          (error: unknown) => {
            const { commitState } = error as ClaretError;
            (commitState === 'applied' ? applied : commitState === 'none' ? undone : unknown).add(id);
          },
        );
        await pause(random.below(2));
      }
    };
    const clients = [claret, await cluster.connect({ name: 'second', combining: 'always' })];
    const workers = Array.from({ length: 8 }, (_, i) => worker(clients[i % 2]!));
    // On a busy machine few transactions commit between two breaks.
    for (let round = 0; round < 25 || committed.size <= 50; round++) {
      await pause(20 + random.below(60));
      cluster.hosts[random.below(2)]!.breakSessions();
    }
    running = false;
    await Promise.all(workers);
    const reader = await cluster.connect({ name: 'reader' });
    const [onA, onB] = [await members(reader, SET_A), await members(reader, SET_B)];
    const [a, b] = await reader.transact('Counts', [reader.on.counter(A).value(), reader.on.counter(B).value()]);
    expect([...onA].sort()).toEqual([...onB].sort());
    for (const id of [...committed, ...applied]) expect(onA.has(id), `${id} was committed`).toBe(true);
    for (const id of undone) expect(onA.has(id), `${id} was not committed`).toBe(false);
    expect([a, b]).toEqual([onA.size, onA.size]);
    expect(unknown.size).toBe(0);
    expect(committed.size).toBeGreaterThan(50);
    expect(clients[0]!.counters.sessionsLost).toBeGreaterThan(10);
    for (const { shard } of cluster.hosts) await until(() => shard.counters().attemptsInFlight === 0);
  });
});

describe('a shard that restarts', () => {
  it('is found again, and transactions continue', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
    cluster.restart(0);
    expect(await claret.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()])).toEqual([0, 1]);
  });

  it('and does not return is reported in time', async () => {
    cluster.hosts[0]!.stop();
    const waiting = claret.transact('Read', [claret.on.counter(A).value()], { timeoutMs: 150 });
    await expect(waiting).rejects.toMatchObject({ code: 'shard_unavailable', retryable: true, commitState: 'none' });
    expect(claret.status.shards[0]!.state).not.toBe('live');
    expect(claret.status.shards[1]!.state).toBe('live');
  });

  it('without a log leaves unknown a commit that it may have received before', async () => {
    await claret.transact('Warm', [claret.on.counter(A).value()]);
    const adding = claret.transact('Add', [claret.on.counter(A).add(1)]);
    setImmediate(() => cluster.restart(0));
    await expect(adding).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown', retryable: false });
  });

  it('and does not return leaves unknown a commit that it may have received', async () => {
    await claret.transact('Warm', [claret.on.counter(A).value()]);
    const adding = claret.transact('Add', [claret.on.counter(A).add(1)], { timeoutMs: 100 });
    setImmediate(() => cluster.hosts[0]!.stop());
    await expect(adding).rejects.toMatchObject({ code: 'outcome_unknown', commitState: 'unknown', retryable: false });
  });

  it('reports its state to listeners', async () => {
    const seen: string[] = [];
    await until(() => claret.status.shards.every(({ state }) => state === 'live'));
    const stop = claret.onStatus((status) => void seen.push(status.shards[0]!.state));
    cluster.hosts[0]!.breakSessions();
    await until(() => seen.includes('live'));
    expect(seen).toEqual(['offline', 'connecting', 'live']);
    stop();
    cluster.hosts[0]!.breakSessions();
    expect(seen).toHaveLength(3);
  });
});

describe('a watch', () => {
  it('reports the state at once and after commits, in the order of timestamps', async () => {
    const changes: Change<unknown>[] = [];
    const watch = claret.watch([claret.on.counter(A).value(), claret.on.set(B).size()], (change) => void changes.push(change));
    await until(() => changes.length === 2);
    expect(changes.map(({ key, value, timestamp }) => ({ key, value, timestamp }))).toEqual(
      expect.arrayContaining([
        { key: A, value: 0, timestamp: 0n },
        { key: B, value: 0, timestamp: 0n },
      ]),
    );
    const other = await cluster.connect();
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => other.transact('Add', [other.on.counter(A).add(1), other.on.set(B).add(`m${i}`)])),
    );
    const last = (key: string) => changes.filter((change) => change.key === key).at(-1)!;
    await until(() => last(A).value === 50 && last(B).value === 50);
    const stamps = changes.filter((change) => change.key === A).map((change) => change.timestamp);
    expect(stamps).toEqual([...stamps].sort((x, y) => (x < y ? -1 : 1)));
    watch.close();
    const before = changes.length;
    await other.transact('Add', [other.on.counter(A).add(1)]);
    await pause(50);
    expect(changes.length).toBe(before);
  });

  it('with `since` is silent until the record has changed after that timestamp', async () => {
    let at = 0n;
    await claret.transact('Add', [claret.on.counter(A).add(1)], { onCommit: ({ committedAt }) => void (at = committedAt) });
    const changes: unknown[] = [];
    claret.watch([claret.on.counter(A).value()], (change) => void changes.push(change.value), { since: at });
    await pause(50);
    expect(changes).toEqual([]);
    await claret.transact('Add', [claret.on.counter(A).add(1)]);
    await until(() => changes.length > 0);
    expect(changes).toEqual([2]);
  });

  it('resumes from the last change when the session is live again', async () => {
    const changes: unknown[] = [];
    claret.watch([claret.on.counter(A).value(), claret.on.counter(B).value()], ({ key, value }) => void changes.push([key, value]));
    const other = await cluster.connect();
    await other.transact('Add', [other.on.counter(A).add(1)]);
    await until(() => changes.length === 3);
    for (const host of cluster.hosts) host.breakSessions();
    await other.transact('Add', [other.on.counter(B).add(7)]);
    await until(() => changes.length === 4);
    await pause(50);
    expect(changes[3]).toEqual([B, 7]);
    expect(changes).toHaveLength(4);
  });

  it('is resumed with thousands of others that do not fit in one frame', async () => {
    const narrow = await inProcessCluster({ shards: 1, shardOptions: { frameBytesMax: 16 * 1024 } });
    try {
      const watching = await narrow.connect();
      const keys = Array.from({ length: 3_000 }, (_, i) => `one-of-many:${i}`);
      const newest = new Map<string, unknown>();
      watching.watch(
        keys.map((key) => watching.on.counter(key).value()),
        ({ key, value }) => void newest.set(key, value),
      );
      await until(() => newest.size === keys.length);
      narrow.hosts[0]!.breakSessions();
      const other = await narrow.connect();
      await Promise.all(keys.map((key) => other.transact('Add', [other.on.counter(key).add(1)])));
      await until(() => [...newest.values()].every((value) => value === 1));
      expect(newest.size).toBe(keys.length);
    } finally {
      await narrow.stop();
    }
  });

  it('starts over after the shard has restarted empty', async () => {
    const changes: unknown[] = [];
    await claret.transact('Add', [claret.on.counter(A).add(1)]);
    claret.watch([claret.on.counter(A).value()], ({ value }) => void changes.push(value));
    await until(() => changes.length === 1);
    cluster.restart(0);
    await until(() => changes.length === 2);
    expect(changes).toEqual([1, 0]);
  });

  it('of a record of another type reports the error', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(1)]);
    const changes: Change<unknown>[] = [];
    claret.watch([claret.on.set(A).size()], (change) => void changes.push(change));
    await until(() => changes.length === 1);
    expect(changes[0]!.error).toBeInstanceOf(ClaretError);
    expect(changes[0]!.error!.code).toBe('wrong_type');
    expect(changes[0]!.value).toBeUndefined();
  });
});
