import { expect, test } from 'vitest';
import { backToNormal } from './recovery.ts';
import type { Second } from './tally.ts';

/** Seconds as [sent, p99, shed]; adds a last, incomplete one. */
const seconds = (...rows: readonly (readonly [sent: number, p99_ms: number | null, shed?: number])[]): Second[] =>
  [...rows, [1, 9_999, 9] as const].map(([sent, p99_ms, shed = 0], second) => ({
    second,
    sent,
    accepted: sent,
    p50_ms: p99_ms,
    p99_ms,
    shed,
    refused: 0,
    unknown: 0,
    failed: 0,
  }));

const CALM = [10, 20] as const;
const calm = (count: number) => Array.from({ length: count }, () => CALM);

test('it counts from the last second of the peak to the first normal one', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [95, 900, 30], [20, 700], [20, 300], ...calm(8)))).toBe(2);
});

test('a site without trouble at the peak is back to normal at once', () => {
  expect(backToNormal(seconds(...calm(4), [100, 30], ...calm(11)))).toBe(0);
});

test('one good second between bad ones does not count', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [20, 20], [20, 900], ...calm(9)))).toBe(2);
});

test('seconds with shed work do not count, however fast the rest', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [20, 20, 5], [20, 20, 1], ...calm(9)))).toBe(2);
});

test('seconds with lost responses do not count', () => {
  const rows = seconds(...calm(4), [100, 800], [20, 20], [20, 20], ...calm(9));
  rows[6]!.unknown = 1;
  expect(backToNormal(rows)).toBe(2);
});

test('a storm that ends in trouble is reported as such', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], ...Array.from({ length: 11 }, () => [20, 700] as const)))).toBeNull();
});

test('without a peak there is no recovery', () => {
  expect(backToNormal(seconds(...calm(16)))).toBeUndefined();
  expect(backToNormal([])).toBeUndefined();
  expect(backToNormal(seconds([0, null], [0, null], [100, 20], [0, null], [0, null], [0, null], [0, null], [0, null]))).toBeUndefined();
});
