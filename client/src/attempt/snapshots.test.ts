// Snapshot transactions over real shards of the core: what they see, what they wait for, and what they may change.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import type { TransactionOptions } from '../transaction/transaction-options.ts';
import type { Tx } from '../transaction/tx.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { Tap } from '../testing/tap.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');
const SNAPSHOT: TransactionOptions = { isolation: 'snapshot' };

let cluster: InProcessCluster;
let claret: Claret;

async function start(clockAheadMs?: (shard: number) => number): Promise<void> {
  cluster = await inProcessCluster({ shards: 2, ...(clockAheadMs && { clockAheadMs }) });
  claret = await cluster.connect({ name: 'test' });
}

beforeEach(() => start());
afterEach(async () => {
  await cluster.stop();
  for (const shard of cluster.shards) expect(shard.counters().attemptsInFlight).toBe(0);
});

const sumOf = (read: (counters: ReturnType<InProcessCluster['shards'][number]['counters']>) => number): number =>
  cluster.shards.reduce((sum, shard) => sum + read(shard.counters()), 0);
const waits = (): number => sumOf((counters) => Object.values(counters.waits).reduce((sum, { count }) => sum + count, 0));

/** From now on the shards keep what they change. */
const warm = () => claret.transact('Warm', [claret.on.counter(A).value(), claret.on.counter(B).value()], SNAPSHOT);

/** A promise, and what resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

describe('a snapshot', () => {
  test('of a thousand records beside writers is one state, for which nobody waits', async () => {
    const keys = Array.from({ length: 1_000 }, (_, i) => `scan:${i}`);
    let done = false;
    let sum = 0;
    // Each moves one between two records: the sum stays 0.
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = writer; !done; n += 7) {
        await claret.transact('Move', [claret.on.counter(keys[n % 1_000]!).add(1), claret.on.counter(keys[(n * 31 + 1) % 1_000]!).add(-1)]);
        sum++;
      }
    });
    const waited = waits();
    for (let n = 0; n < 10; n++) {
      const values = await claret.transaction('Scan', (tx) => Promise.all(keys.map((key) => tx.counter(key).value())), SNAPSHOT);
      expect(values.reduce((all, value) => Number(all) + Number(value), 0)).toBe(0);
    }
    done = true;
    await Promise.all(writers);
    expect(waits()).toBe(waited);
    expect(sum).toBeGreaterThan(10);
    expect(claret.counters.snapshotReads).toBeGreaterThanOrEqual(10_000);
    expect(sumOf((counters) => counters.rollbackSteps)).toBeGreaterThan(0);
  });

  test('is that of its first read, whatever commits while its body runs, and takes no lock', async () => {
    await warm();
    const addToBoth = () => claret.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
    const behind = () => sumOf((counters) => counters.snapshotsBehind);
    // On a busy machine a shard may not be able to tell that the snapshot is new enough, and then it is taken again.
    for (;;) {
      await addToBoth();
      const { retries } = claret.counters;
      const [before, value] = [behind(), await claret.native.counter(A).value()];
      const seen = await claret.transaction(
        'Read',
        async (tx) => {
          const first = await tx.counter(A).value();
          await addToBoth();
          return [first, await tx.counter(B).value(), await tx.counter(A).value()];
        },
        SNAPSHOT,
      );
      if (behind() !== before) continue;
      expect(seen).toEqual([value, value, value]);
      expect(claret.counters.retries).toBe(retries);
      break;
    }
    expect(waits()).toBe(0);
  });

  test('is taken again where a shard cannot tell that it is new enough, and the body runs again if it has seen something else', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)]);
    let runs = 0;
    const read = (changed: string[]) =>
      claret.transaction(
        'Read',
        async (tx) => {
          const first = await tx.counter(A).value();
          // Shard 1 has kept nothing until it is read for the first time.
          if (runs++ === 0)
            await claret.transact(
              'Add',
              changed.map((key) => claret.on.counter(key).add(1)),
            );
          return [first, await tx.counter(B).value()];
        },
        SNAPSHOT,
      );
    expect(await read([A, B])).toEqual([2, 2]);
    expect(runs).toBe(2);
    expect(claret.counters.snapshotsMoved).toBe(1);
    cluster.restart(1);
    runs = 0;
    await claret.transact('Add', [claret.on.counter(B).add(5)]);
    expect(await read([B]), 'what it has seen is as it was').toEqual([2, 6]);
    expect(runs).toBe(1);
    expect(claret.counters.snapshotsMoved).toBe(2);
  });

  test('commits without a message of its own, at the time of its snapshot', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(1)]);
    const tap = new Tap(cluster.transport);
    const reader = await cluster.connect({ transport: tap });
    tap.seen.length = 0;
    let at = 0n;
    const begun = sumOf((counters) => counters.begun);
    expect(
      await reader.transaction('Read', async (tx) => [await tx.counter(A).value(), await tx.counter(B).value()], {
        ...SNAPSHOT,
        onCommit: ({ committedAt }) => (at = committedAt),
      }),
    ).toEqual([1, 0]);
    expect(sumOf((counters) => counters.begun)).toBe(begun);
    expect(at).toBeGreaterThan(0n);
  });

  test('serves a list of operations too', async () => {
    await claret.transact('Add', [claret.on.counter(A).add(2), claret.on.counter(B).add(3)]);
    expect(await claret.transact('Read', [claret.on.counter(A).value(), claret.on.counter(B).value()], SNAPSHOT)).toEqual([2, 3]);
  });

  test('shows what was acknowledged before, although the clocks of the shards differ', async () => {
    await cluster.stop();
    await start((shard) => (shard === 1 ? 2_000 : 0));
    await warm();
    for (let n = 1; n <= 20; n++) {
      await claret.transact('Add', [claret.on.counter(B).add(1)]);
      const [a, b] = await claret.transaction('Read', async (tx) => [await tx.counter(A).value(), await tx.counter(B).value()], SNAPSHOT);
      expect([a, b]).toEqual([0, n]);
    }
    expect(claret.counters.snapshotsMoved).toBeGreaterThan(0);
    expect(sumOf((counters) => counters.snapshotsBehind)).toBeGreaterThan(0);
  });
});

describe('a change of a snapshot transaction', () => {
  const increase = async (tx: Tx, key: string, between?: () => Promise<unknown>): Promise<void> => {
    const value = Number((await tx.register(key).get()) ?? 0);
    await between?.();
    tx.register(key).set(value + 1);
  };

  test('is refused if another committed first, and is made on a new snapshot then', async () => {
    let runs = 0;
    await claret.transaction(
      'Increase',
      (tx) =>
        increase(tx, A, async () => {
          if (runs++ === 0) await claret.transaction('First', (other) => increase(other, A));
        }),
      SNAPSHOT,
    );
    expect(runs).toBe(2);
    expect(await claret.native.register(A).get()).toBe(2);
    expect(sumOf((counters) => counters.aborts['snapshot_conflict'] ?? 0)).toBe(1);
  });

  test('loses no update among many', async () => {
    const many = Array.from({ length: 20 }, () => claret.transaction('Increase', (tx) => increase(tx, A), SNAPSHOT));
    await Promise.all(many);
    expect(await claret.native.register(A).get()).toBe(20);
  });

  test('goes with what commutes', async () => {
    await warm();
    await claret.transaction(
      'Add',
      async (tx) => {
        await tx.counter(B).value();
        await claret.transact('Add', [claret.on.counter(A).add(5)]);
        tx.counter(A).add(1);
      },
      SNAPSHOT,
    );
    expect(claret.counters.retries).toBe(0);
    expect(await claret.native.counter(A).value()).toBe(6);
  });

  test('may skew what two of them have read: the second doctor on call leaves too', async () => {
    const doctors = [A, B];
    await claret.transact(
      'Begin',
      doctors.map((key) => claret.on.register(key).set('on call')),
    );
    const leave = (own: string, options: TransactionOptions, met: () => Promise<void>) =>
      claret.transaction(
        'Leave',
        async (tx) => {
          const states = await Promise.all(doctors.map((key) => tx.register(key).get()));
          await met();
          if (states.filter((state) => state === 'on call').length > 1) tx.register(own).set('off');
        },
        options,
      );
    const both = gate();
    let come = 0;
    const met = () => {
      if (++come === 2) both.open();
      return both.opened;
    };
    await Promise.all(doctors.map((key) => leave(key, SNAPSHOT, met)));
    expect(await Promise.all(doctors.map((key) => claret.native.register(key).get()))).toEqual(['off', 'off']);

    await claret.transact(
      'Begin',
      doctors.map((key) => claret.on.register(key).set('on call')),
    );
    await Promise.all(doctors.map((key) => leave(key, {}, async () => {})));
    const states = await Promise.all(doctors.map((key) => claret.native.register(key).get()));
    expect(states.filter((state) => state === 'on call')).toHaveLength(1);
  });
});
