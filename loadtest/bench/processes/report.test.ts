import { expect, test } from 'vitest';
import type { Answer } from './question.ts';
import { processesTable, verdicts, type Round } from './report.ts';

const answer = (txn_per_s: number, p99_ms: number): Answer => ({
  txn_per_s,
  p99_ms,
  driver_us_per_txn: 1e6 / txn_per_s,
  others_cpu: 0,
  collecting_share: 0.02,
  longest_collection_ms: 3,
  promoted_share: 0,
  mismatches: [],
});
const round = (few: Answer, many: Answer): Round =>
  new Map([
    [512, many],
    [64, few],
  ]);

const ROUNDS = [
  round(answer(100_000, 1), answer(120_000, 8)),
  round(answer(100_000, 1), answer(110_000, 9)),
  round(answer(50_000, 2), answer(40_000, 23)),
];

test('a row holds the median and the worst process, the fewest in flight first', () => {
  const [, , few, many] = processesTable(ROUNDS).split('\n');
  expect(few).toMatch(/^64 +100,000 \(50,000\) +1\.0 \(2\.0\) +10\.0 \(20\.0\) +2\.0 % \(2\.0 %\)/);
  expect(many).toMatch(/^512 +110,000 \(40,000\) +9\.0 \(23\.0\)/);
});

test('a ratio is to the process measured beside it', () => {
  expect(verdicts(ROUNDS)).toEqual([
    'throughput at 512 in flight to that at 64: median 1.10 x, worst 0.80 x; at least 1 x in 2 of 3 (goal: all)',
    'CPU time per transaction at 512 in flight to that at 64: median 0.91 x, worst 1.25 x',
    'p99 at 512 in flight at most 10 ms in 2 of 3 (goal: all)',
  ]);
});
