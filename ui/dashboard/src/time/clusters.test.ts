import { expect, test } from 'vitest';
import type { Mark } from '../store/telemetryStore.ts';
import { clusterMarks, clusterWords } from './clusters.ts';

const conditions = { locks: 'rw', phasing: false, combining: 'off' } as const;
const switched = (at_ms: number): Mark => ({ at_ms, what: { conditions } });
const began = (at_ms: number): Mark => ({ at_ms, what: { spike: 'began', name: 'bid-spike' } });
const sizes = (marks: Mark[], ms_per_px: number) => clusterMarks(marks, ms_per_px).map(({ length }) => length);

test('marks share a flag where there is no room, and part once there is', () => {
  const marks = [switched(0), switched(12_000), switched(24_000), switched(300_000)];
  expect(sizes(marks, 600_000 / 660)).toEqual([3, 1]);
  expect(sizes(marks, 60_000 / 660)).toEqual([1, 1, 1, 1]);
  expect(sizes(marks.slice(1), 600_000 / 660)).toEqual([1, 1, 1]);
});

test('which marks share one does not depend on where the axis is', () => {
  const times = [0, 9_000, 20_000, 36_000, 41_000];
  const at = (shift_ms: number) =>
    sizes(
      times.map((at_ms) => switched(at_ms + shift_ms)),
      900,
    );
  for (const shift_ms of [1, 777, 12_345]) expect(at(shift_ms)).toEqual(at(0));
});

test('a shared flag says what it holds, and how many', () => {
  expect(clusterWords([switched(0), switched(1)])).toBe('2 switches');
  expect(clusterWords([switched(0), began(1), switched(2)])).toBe('3 changes');
});
