import { expect, test } from 'vitest';
import { backToNormal } from './recovery.ts';
import type { Second } from './tally.ts';

/** Seconds as [sent, p99, shed]; the last one, which is cut off, is added. */
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

test('it counts from the last second of the height to the first that is as before', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [95, 900, 30], [20, 700], [20, 300], ...calm(8)))).toBe(2);
});

test('a site that the height leaves untroubled is back at once', () => {
  expect(backToNormal(seconds(...calm(4), [100, 30], ...calm(11)))).toBe(0);
});

test('one good second between bad ones is no calm', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [20, 20], [20, 900], ...calm(9)))).toBe(2);
});

test('work that is still sent away is no calm, however fast the rest', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], [20, 20, 5], [20, 20, 1], ...calm(9)))).toBe(2);
});

test('answers that are lost are no calm', () => {
  const rows = seconds(...calm(4), [100, 800], [20, 20], [20, 20], ...calm(9));
  rows[6]!.unknown = 1;
  expect(backToNormal(rows)).toBe(2);
});

test('a storm that ends in trouble says so', () => {
  expect(backToNormal(seconds(...calm(4), [100, 800], ...Array.from({ length: 11 }, () => [20, 700] as const)))).toBeNull();
});

test('where nothing spikes there is nothing to come back from', () => {
  expect(backToNormal(seconds(...calm(16)))).toBeUndefined();
  expect(backToNormal([])).toBeUndefined();
  expect(backToNormal(seconds([0, null], [0, null], [100, 20], [0, null], [0, null], [0, null], [0, null], [0, null]))).toBeUndefined();
});
