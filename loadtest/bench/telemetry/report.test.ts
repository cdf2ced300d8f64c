import { expect, test } from 'vitest';
import { costOf, costOfAll, rowOf, verdict, type Pair } from './report.ts';

const span = (commits: number, gateways_us: number) => ({ seconds: 2, commits, gateways_us });
const seen = { frames: 10, bytes: 20_000, commits: 1, faults: 0 };
const pair = (withoutUs: number, withUs: number): Pair => ({
  without: span(1_000, 1_000 * withoutUs),
  with: span(500, 500 * withUs),
  seen,
});

test('cost is the increase of CPU time per committed transaction, however many there were', () => {
  expect(costOf(pair(50, 51))).toBeCloseTo(0.02);
  expect(costOf(pair(50, 49))).toBeCloseTo(-0.02);
});

test('a workload reports the middle of its pairs and the total the middle of all pairs, whatever the outliers', () => {
  const slow = { name: 'slow', pairs: [pair(100, 101), pair(100, 103), pair(100, 104), pair(100, 150)] };
  const quick = { name: 'quick', pairs: [pair(10, 10), pair(10, 10.2)] };
  const row = rowOf(slow);
  expect(row).toMatchObject({
    name: 'slow',
    cost_share_range: [0.01, 0.5],
    cost_shares: [0.01, 0.03, 0.04, 0.5],
    without: { txn_per_s: 500, gateway_us_per_txn: 100 },
    with: { txn_per_s: 250, gateway_us_per_txn: 103.5 },
    frames_per_s: 5,
    bytes_per_frame: 2_000,
  });
  expect(row.cost_share).toBeGreaterThan(0.03);
  expect(row.cost_share).toBeLessThan(0.25);
  const all = costOfAll([...slow.pairs, ...quick.pairs]);
  expect(all.cost_share).toBeLessThan(row.cost_share);
  expect(costOfAll([pair(100, 200), pair(100, 50)]).cost_share).toBe(0);
});

test('a goal is met or missed only if the whole range is on one side', () => {
  expect(verdict({ cost_share_range: [-0.01, 0.02] }, 6, 0.02)).toBe('met');
  expect(verdict({ cost_share_range: [0.03, 0.04] }, 6, 0.02)).toBe('missed');
  expect(verdict({ cost_share_range: [0, 0.04] }, 6, 0.02)).toMatch(/^open/);
  expect(verdict({ cost_share_range: [0.01, 0.01] }, 5, 0.02)).toMatch(/^open/);
});
