import { expect, test } from 'vitest';
import stringWidth from 'string-width';
import { bytes, counted, duration, rate, shown, toJson } from './format.ts';
import { hasColours, screenOf } from './screen.ts';
import { table } from './table.ts';
import type { Terminal } from './terminal.ts';

const terminal = (env: Record<string, string>, isTerminal: boolean, columns = 100) =>
  ({ env, isTerminal, size: () => ({ columns, rows: 24 }) }) as unknown as Terminal;
const plain = (columns: number) => screenOf(terminal({}, false, columns), true);

test('figures have only significant digits', () => {
  expect([0, 0.31, 45.64, 12_345.6].map(rate)).toEqual(['0', '0.31', '45.6', '12,346']);
  expect([0, 0.01, 0.44, 9.94, 9.96, 14.4, 999.4, 999.6, 2_100, 9_960, 61_000].map(duration)).toEqual([
    '0.0 ms',
    '<0.1 ms',
    '0.4 ms',
    '9.9 ms',
    '10 ms',
    '14 ms',
    '999 ms',
    '1.0 s',
    '2.1 s',
    '10 s',
    '61 s',
  ]);
  expect([0, 512, 1_434, 1_468_006, 300 * 1024 ** 2].map(bytes)).toEqual(['0 B', '512 B', '1.4 KiB', '1.4 MiB', '300 MiB']);
  expect([0, 1, 2_000].map((value) => counted(value, 'shard'))).toEqual(['no shards', '1 shard', '2,000 shards']);
});

test('control characters of records are escaped', () => {
  expect(shown('a\u001b[31mb\nc')).toBe('a\\u001b[31mb\\u000ac');
});

test('integers beyond the range of JSON numbers become text', () => {
  expect(toJson([2n ** 62n, 5, undefined, { a: 1n }])).toEqual(['4611686018427387904', 5, null, { a: '1' }]);
});

test('tables align wide characters and narrow the columns that may shrink', () => {
  const rows = [
    ['京都', '5'],
    ['x'.repeat(60), '1,234'],
  ];
  const lines = table(
    [
      { header: 'item', shrinks: true },
      { header: 'score', align: 'right' },
    ],
    rows,
    plain(40),
  ).split('\n');
  expect(lines.map((line) => stringWidth(line))).toEqual([40, 40, 40]);
  expect(lines[1]).toBe(`京都${' '.repeat(35)}5`);
  expect(lines[2]).toMatch(/^x+…  1,234$/);
});

test('colours are used on terminals only, unless an option or variable overrides that', () => {
  expect(hasColours(terminal({}, true), true)).toBe(true);
  expect(hasColours(terminal({}, false), true)).toBe(false);
  expect(hasColours(terminal({}, true), false)).toBe(false);
  expect(hasColours(terminal({ NO_COLOR: '1' }, true), true)).toBe(false);
  expect(hasColours(terminal({ TERM: 'dumb' }, true), true)).toBe(false);
  expect(hasColours(terminal({ FORCE_COLOR: '1' }, false), true)).toBe(true);
  expect(hasColours(terminal({ FORCE_COLOR: '1', NO_COLOR: '1' }, false), true)).toBe(false);
});
