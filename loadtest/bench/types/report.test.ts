import { expect, test } from 'vitest';
import type { Span } from '../../kit/closed-loop.ts';
import type { Way } from './question.ts';
import { emptyCells, inTurn, rowsOf, typesTable, verdicts, type Cell } from './report.ts';

/** Of 1,000 operations, in one second unless `seconds` says otherwise. */
const span = (server_cpu_us: number, seconds = 1): Span => ({ seconds, count: 1000, client_cpu_us: 500, server_cpu_us });

const SPANS: Record<Way, Span[]> = {
  native: [span(2000, 0.5), span(9000), span(4000)],
  'one-shot': [span(4000), span(4000), span(4000)],
  'by hand': [span(8000), span(8000), span(8000)],
  'built-in': [span(1000), span(2000), span(1000)],
};
const cells: Cell[] = emptyCells().map((cell) => ({ ...cell, spans: SPANS[cell.way] }));

test('figures are medians of the rounds, and ratios those of the ratios within them', () => {
  const [native] = rowsOf(cells);
  expect(native).toEqual({
    subject: 'SeatMap.reserve',
    way: 'native',
    ops_per_s: 1000,
    gateway_us_per_op: 4,
    client_us_per_op: 0.5,
    to_by_hand: 1,
    cpu_to_built_in: 4,
    cpu_to_built_in_range: [2, 4.5],
  });
});

test('each type is judged by the CPU time of its native', () => {
  const rows = rowsOf(cells);
  expect(verdicts(rows)[1]).toBe(
    'RateLimiter.allow: CPU time of the gateway to the built-in operation: 4.00 x, 2.00 to 4.50 in the rounds (goal: at most 3 x, missed)',
  );
  expect(verdicts(rows)[3]).toMatch(/^TenBest\.add: .* 4\.00 x, .*goal: at most 10 x, met\)$/);
  const cheap = rows.map((row) => ({ ...row, cpu_to_built_in: 3 }));
  expect(verdicts(cheap)).toHaveLength(5);
  for (const line of verdicts(cheap)) expect(line).toContain(', met)');
});

test('each round begins with another way', () => {
  const waysOf = (round: number) => inTurn(cells, round).map(({ way }) => way);
  expect(waysOf(-1).slice(0, 4)).toEqual(['built-in', 'native', 'one-shot', 'by hand']);
  expect(waysOf(5).slice(4, 8)).toEqual(['one-shot', 'by hand', 'built-in', 'native']);
});

test('the table has a line for each operation and way', () => {
  const lines = typesTable(rowsOf(cells)).split('\n');
  expect(lines).toHaveLength(2 + 20);
  expect(lines[2]).toMatch(/^SeatMap\.reserve, native +1,000 +1\.00 x +4\.00 +4\.00 x +0\.50$/);
});
