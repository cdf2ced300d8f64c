import { expect, test } from 'vitest';
import { timeScale } from './timeScale.ts';

test('a span fills the part of the chart beside the labels', () => {
  const time = timeScale({ from_ms: 10_000, to_ms: 70_000 }, 100, 700);
  expect(time.x(10_000)).toBe(100);
  expect(time.x(70_000)).toBe(700);
  expect(time.at(400)).toBe(40_000);
  expect(time.at(0)).toBe(10_000);
  expect(time.at(9_999)).toBe(70_000);
});

test('while the span advances slowly, the picture moves by whole device pixels of a grid that is fixed in time', () => {
  const starts = new Set<number>();
  for (let from_ms = 5_000_000; from_ms < 5_000_500; from_ms += 7) {
    const { from_ms: drawn_ms, ms_per_px } = timeScale({ from_ms, to_ms: from_ms + 60_000 }, 0, 600, 2);
    expect(from_ms - drawn_ms).toBeGreaterThanOrEqual(0);
    expect(from_ms - drawn_ms).toBeLessThan(ms_per_px / 2);
    expect((drawn_ms / (ms_per_px / 2)) % 1).toBe(0);
    starts.add(drawn_ms);
  }
  expect(starts.size).toBe(10);
});
