// Values that every run of a body shares, against a real shard.

import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import type { Tx } from './tx.ts';

const A = keyOn(0);
let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster();
  claret = await cluster.connect();
});

afterEach(() => cluster.stop());

/** Breaks the session in the first run, so that there is a second. */
async function interrupt(tx: Tx): Promise<void> {
  await tx.counter(A).value();
  if (tx.retries > 0) return;
  cluster.hosts[0]!.breakSessions();
  await expect.poll(() => claret.status.shards.map(({ state }) => state)).toEqual(['live']);
}

it('each call of `once` gives every run of a body the same value', async () => {
  let drawn = 0;
  const seen: number[][] = [];
  const result = await claret.transaction('Twice', async (tx) => {
    const first = tx.once(() => ++drawn);
    await interrupt(tx);
    const second = tx.once(() => ++drawn);
    seen.push([first, second]);
    await tx.counter(A).add(1);
    return second;
  });
  expect([result, drawn]).toEqual([2, 2]);
  for (const values of seen) expect(values).toEqual([1, 2]);
});

it('a run that goes further than the one before it draws what that did not', async () => {
  let drawn = 0;
  const seen: unknown[] = [];
  await claret.transaction('Further', async (tx) => {
    seen.push(tx.once(() => ++drawn));
    await interrupt(tx);
    await tx.counter(A).add(1);
    seen.push(tx.once(() => ++drawn));
  });
  expect(seen).toEqual([1, 1, 2]);
});

it('what `draw` throws is not kept, and transactions share no values', async () => {
  let drawn = 0;
  await claret.transaction('Throws', async (tx) => {
    expect(() =>
      tx.once(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(tx.once(() => 7)).toBe(7);
  });
  const draw = (tx: Tx) => tx.once(() => ++drawn);
  expect([await claret.transaction('One', draw), await claret.transaction('Two', draw)]).toEqual([1, 2]);
});

it('each call of `newId` gives every run of a body the same text, which needs no message', async () => {
  const seen: string[][] = [];
  await claret.clock.ready(); // it has been welcomed
  await claret.transaction('Names', async (tx) => {
    const first = tx.newId();
    await interrupt(tx);
    seen.push([first, tx.newId()]);
    await tx.counter(A).add(1);
  });
  expect(new Set(seen.map(String)).size).toBe(1);
  expect(seen[0]![0]).toMatch(/^[0-9a-z]+(-[0-9a-z]+){3}$/);
  const { natives, commits } = claret.counters;
  await claret.transaction('Nothing', (tx) => tx.newId());
  expect(claret.counters).toMatchObject({ natives, commits: commits + 1 });
});
