// Gateways that compare their clocks: who is apart from whom, and what is refused then.
import { afterEach, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import { ClusterClocks, tellApart } from './cluster-clocks.ts';
import type { ClockApart } from './cluster-clocks.ts';

const members = parseCluster('h:1/h:2,h:3/h:4,h:5/h:6');
let clocks: ClusterClocks | undefined;
afterEach(() => clocks?.close());

/** The clocks of the other two as `theirs` has them; an answer takes `tookMs`. */
function compare(theirs: () => (number | null)[], tookMs = 0) {
  let monotonic = 0;
  const told: (readonly ClockApart[])[] = [];
  clocks = new ClusterClocks({
    shard: 0,
    members,
    maxSkewMs: 5_000,
    wallMs: () => 1_000_000,
    monotonicMs: () => monotonic,
    peers: {
      getClock: async ({ shard }) => {
        const at = theirs()[shard - 1]!;
        await Promise.resolve();
        monotonic += tookMs;
        if (at === null) throw new Error('not there');
        return at;
      },
    },
    onChange: (apart) => told.push(apart),
  });
  return told;
}

test('clocks that are close enough are nothing to tell', async () => {
  const told = compare(() => [1_004_999, 995_001]);
  await clocks!.begin();
  expect(told).toEqual([]);
  expect(clocks!.isOdd).toBe(false);
});

test('one that is apart is told once, and once more when it is set right', async () => {
  let first = 1_000_000 + 3_600_000;
  const told = compare(() => [first, 1_000_000]);
  await clocks!.begin();
  await clocks!.look();
  expect(told).toEqual([[{ shard: 1, aheadMs: 3_600_000 }]]);
  expect(clocks!.isOdd, 'the other gateway is the odd one').toBe(false);
  first = 1_000_000;
  await clocks!.look();
  expect(told).toHaveLength(2);
  expect(clocks!.apart).toEqual([]);
});

test('a gateway that is apart from all others is the odd one', async () => {
  compare(() => [900_000, 900_000]);
  await clocks!.begin();
  expect(clocks!.isOdd).toBe(true);
  expect(tellApart(clocks!.apart.slice(0, 1), 5_000)).toBe(
    "shard 1's clock is 100.0 s behind this gateway's; up to 5 s are allowed. Transactions over both shards are refused (clock_skew) until the clocks are set right.",
  );
});

test('a slow answer makes no clock look behind', async () => {
  const told = compare(() => [990_000, 990_000], 9_000);
  await clocks!.begin();
  expect(told).toEqual([]);
});

test('who does not answer stays as it was', async () => {
  let theirs: (number | null)[] = [2_000_000, null];
  const told = compare(() => theirs);
  await clocks!.begin();
  theirs = [null, null];
  await clocks!.look();
  expect(told).toHaveLength(1);
  expect(clocks!.apart).toEqual([{ shard: 1, aheadMs: 1_000_000 }]);
});
