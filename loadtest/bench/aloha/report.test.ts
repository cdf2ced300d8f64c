import { expect, test } from 'vitest';
import { listsTable, targetsOf } from './report.ts';
import { row } from './testing.ts';

const met = (lines: readonly string[]) => lines.map((line) => line.endsWith(', met)'));

test('without rows there are no targets', () => {
  expect(targetsOf([])).toEqual([]);
});

test('every size from 100 to 4,000 counts, and no other', () => {
  const at = (size: number, to_baseline: number) => row(size, { to_baseline });
  expect(met(targetsOf([at(10, 0.5), at(100, 0.9), at(4_000, 0.95)]))).toEqual([true]);
  expect(met(targetsOf([at(100, 0.62), at(4_000, 0.95)]))).toEqual([false]);
});

test('locks that commit nothing are told as such', () => {
  expect(targetsOf([row(1_000, { lists_per_s: 600 }), row(1_000, { way: 'locks', lists_per_s: 0 })])).toEqual([
    'lists of 1,000 to locks, 64 in flight: 600 lists/s, where locks commit none in the span (goal: 50 times, met)',
  ]);
});

test('the table has a line for each row, with the CPU time of gateways and driver', () => {
  const [, , epoch, none] = listsTable([row(1_000, { to_baseline: 0.874 }), row(10, { way: 'none' })]).split('\n');
  expect(epoch).toMatch(/1,000 +epoch +100 +0\.874 .* 3\.00 \+ 2\.00/);
  expect(none).toMatch(/10 +none +100 +10\.0 /);
});
