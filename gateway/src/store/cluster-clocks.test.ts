// Comparison of the gateways' clocks: which shards are apart, and what is reported.
import { afterEach, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import { ClusterClocks, describeClocksApart } from './cluster-clocks.ts';
import type { ClockApart } from './cluster-clocks.ts';

const members = parseCluster('h:1/h:2,h:3/h:4,h:5/h:6');
let clocks: ClusterClocks | undefined;
afterEach(() => clocks?.close());

/** `theirs`: the clocks of the two other shards; `tookMs`: the duration of an answer */
function compare(theirs: () => (number | null)[], tookMs = 0) {
  let monotonic = 0;
  const changes: (readonly ClockApart[])[] = [];
  clocks = new ClusterClocks({
    shard: 0,
    members,
    maxSkewMs: 5_000,
    wallMs: () => 1_000_000,
    monotonicMs: () => monotonic,
    getClock: async ({ shard }) => {
      const at = theirs()[shard - 1]!;
      await Promise.resolve();
      monotonic += tookMs;
      if (at === null) throw new Error('not there');
      return at;
    },
    onChange: (apart) => changes.push(apart),
  });
  return changes;
}

test('clocks that are close enough are not reported', async () => {
  const changes = compare(() => [1_004_999, 995_001]);
  await clocks!.begin();
  expect(changes).toEqual([]);
  expect(clocks!.ownClockIsSuspect).toBe(false);
});

test('a clock that is apart is reported once, and again when it is set right', async () => {
  let first = 1_000_000 + 3_600_000;
  const changes = compare(() => [first, 1_000_000]);
  await clocks!.begin();
  await clocks!.look();
  expect(changes).toEqual([[{ shard: 1, aheadMs: 3_600_000 }]]);
  expect(clocks!.ownClockIsSuspect, 'the other gateway is the odd one').toBe(false);
  first = 1_000_000;
  await clocks!.look();
  expect(changes).toHaveLength(2);
  expect(clocks!.apart).toEqual([]);
});

test('a gateway that is apart from all others is the odd one', async () => {
  compare(() => [900_000, 900_000]);
  await clocks!.begin();
  expect(clocks!.ownClockIsSuspect).toBe(true);
  expect(describeClocksApart(clocks!.apart.slice(0, 1), 5_000)).toBe(
    "shard 1's clock is 100.0 s behind this gateway's; up to 5 s are allowed. Transactions over both shards are refused (clock_skew) until the clocks are set right.",
  );
});

test('a slow answer does not make a clock appear to be behind', async () => {
  const changes = compare(() => [990_000, 990_000], 9_000);
  await clocks!.begin();
  expect(changes).toEqual([]);
});

test('the state of a shard that does not answer is kept', async () => {
  let theirs: (number | null)[] = [2_000_000, null];
  const changes = compare(() => theirs);
  await clocks!.begin();
  theirs = [null, null];
  await clocks!.look();
  expect(changes).toHaveLength(1);
  expect(clocks!.apart).toEqual([{ shard: 1, aheadMs: 1_000_000 }]);
});
