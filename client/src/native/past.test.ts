// Reads of the past over real shards of the core: all as of one moment, on both shards.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claret } from '../claret.ts';
import { inProcessCluster, type InProcessCluster } from '../testing/in-process-cluster.ts';
import { keyOn } from '../testing/keys.ts';
import { wallMsOf } from '../wire/moment.ts';

const A = keyOn(0, 'a');
const B = keyOn(1, 'b');

let cluster: InProcessCluster;
let claret: Claret;

beforeEach(async () => {
  cluster = await inProcessCluster({ shards: 2, shardOptions: { pastMs: 600_000 } });
  claret = await cluster.connect({ name: 'test' });
});
afterEach(() => cluster.stop());

/** Adds one to a counter on each shard, and returns when that committed. */
async function add(): Promise<bigint> {
  let at = 0n;
  await claret.transact('Add', [claret.on.counter(A).add(1), claret.on.counter(B).add(1)], {
    onCommit: ({ committedAt }) => (at = committedAt),
  });
  return at;
}

test('records of both shards are read as of one moment', async () => {
  const times: bigint[] = [];
  for (let n = 0; n < 20; n++) times.push(await add());
  for (const [n, at] of times.entries()) {
    const [exact, before] = [claret.asOf(at), claret.asOf(at - 1n)];
    expect(await Promise.all([exact.counter(A).value(), exact.counter(B).value()])).toEqual([n + 1, n + 1]);
    expect(await Promise.all([before.counter(A).value(), before.counter(B).value()])).toEqual([n, n]);
  }
  expect(await claret.native.counter(A).value()).toBe(20);
});

test('beside writers, two records that always change together are always equal', async () => {
  let done = false;
  const writers = Array.from({ length: 8 }, async () => {
    while (!done) await add();
  });
  for (let n = 0; n < 200; n++) {
    const then = claret.asOf(new Date(Date.now() - (n % 5)));
    const [a, b] = await Promise.all([then.counter(A).value(), then.counter(B).value()]);
    expect(a).toBe(b);
  }
  done = true;
  await Promise.all(writers);
});

test('a Date is the beginning of its millisecond, and a result is told with its time', async () => {
  const at = await add();
  const ms = wallMsOf(at);
  expect(await claret.asOf(new Date(ms)).counter(A).value()).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 5));
  let told = 0n;
  const value = claret.on.counter(A).value();
  expect(await claret.native.perform(value, { at: new Date(ms + 1), onExecuted: (executedAt) => (told = executedAt) })).toBe(1);
  expect(wallMsOf(told)).toBe(ms + 1);
});

test('several operations are read together, and each has an outcome of its own', async () => {
  const at = await add();
  const results = await claret.asOf(at).run([claret.on.counter(A).value(), claret.on.set(B).size(), claret.on.register('nothing').get()]);
  expect(results).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { code: 'wrong_type' } },
    { status: 'fulfilled', value: null },
  ]);
});

test('only what observes can be asked, of moments that have come', async () => {
  const at = await add();
  await expect(claret.asOf(at).counter(A).add(1)).rejects.toMatchObject({ code: 'not_read_only', key: A, commitState: 'none' });
  const later = claret
    .asOf(new Date(Date.now() + 60_000))
    .counter(A)
    .value();
  await expect(later).rejects.toMatchObject({ code: 'clock_skew', retryable: true });
  for (const moment of [new Date(Number.NaN), new Date(-5), 0n, -1n, 2n ** 64n]) {
    await expect(claret.asOf(moment).counter(A).value()).rejects.toMatchObject({ code: 'out_of_range' });
  }
  expect(await claret.native.counter(A).value()).toBe(1);
});

test('without a history, only what has not changed since is known', async () => {
  const other = await inProcessCluster({ shards: 2 });
  try {
    claret = await other.connect({ name: 'test' });
    const first = await add();
    const second = await add();
    expect(await claret.asOf(second).counter(A).value()).toBe(2);
    await expect(claret.asOf(first).counter(A).value()).rejects.toMatchObject({ code: 'history_gone', retryable: false, key: A });
  } finally {
    await other.stop();
  }
});
