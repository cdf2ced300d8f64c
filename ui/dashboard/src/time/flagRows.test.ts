import { expect, it } from 'vitest';
import { FlagRows } from './flagRows.ts';

it('rows of flags appear at once, disappear one by one after a while, and one always stays', () => {
  const rows = new FlagRows();
  const shown = [
    [0, 0],
    [1, 100],
    [3, 200],
    [1, 300],
    [1, 1_700],
    [1, 1_800],
    [0, 1_900],
    [0, 3_400],
    [0, 9_000],
  ] as const;
  expect(shown.map(([used, now_ms]) => rows.fit(used, now_ms))).toEqual([1, 1, 3, 3, 3, 2, 2, 1, 1]);
});

it('a row that is used again stays', () => {
  const rows = new FlagRows();
  expect([rows.fit(2, 0), rows.fit(1, 1_000), rows.fit(2, 2_000), rows.fit(1, 3_000), rows.fit(1, 4_000)]).toEqual([2, 2, 2, 2, 2]);
});
