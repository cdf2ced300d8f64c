import { expect, test } from 'vitest';
import { cellRow } from '../mediator/testing.ts';
import { besideTable, besideVerdicts, MIXES, ratioOf, type BesideCell, type Way } from './beside.ts';

const speeds: Record<Way, readonly number[]> = { native: [100, 900, 300], none: [100, 1000, 400], transaction: [50, 1000, 100] };

const cells: BesideCell[] = MIXES.flatMap(({ name }) =>
  (Object.keys(speeds) as Way[]).map((way) => ({
    mix: name,
    way,
    rounds: speeds[way].map((speed, round) => cellRow({ round, natives_per_s: speed, txn_per_s: speed / 2 })),
  })),
);

test('a ratio is the median of the ratios within the rounds', () => {
  expect(ratioOf(cells, 'adds', 'native', 'none', ({ natives_per_s }) => natives_per_s)).toBe(0.9);
  expect(ratioOf(cells, 'adds', 'native', 'transaction', ({ txn_per_s }) => txn_per_s)).toBe(2);
});

test('each goal is judged for each mix', () => {
  const lines = besideVerdicts(cells);
  expect(lines).toHaveLength(2 * MIXES.length);
  expect(lines[0]).toBe('adds: natives beside transactions, to the same without locks: 0.90 x (goal: 0.95 x, missed)');
  expect(lines[1]).toContain('2.00 x (goal: 0.95 x, met)');
});

test('the table has a row of medians for each mix and way', () => {
  const rows = besideTable(cells).split('\n');
  expect(rows).toHaveLength(2 + 9);
  expect(rows[2]).toMatch(/^adds, native +300 +150 +2\.00/);
});
