import { expect, test } from 'vitest';
import { gutterFor } from './gutter.ts';
import { RANGES, rangeOf } from './ranges.ts';
import { TimeAxis, WIDTH_MS_AT_FIRST, WIDTH_MS_MAX } from './timeAxis.ts';

test('names leave most of the width to time, on a phone as on a desk', () => {
  for (const width of [320, 366, 559, 560, 860, 1_900]) expect(gutterFor(width).width / width, `at ${width} px`).toBeLessThan(0.36);
  expect(gutterFor(0).width).toBe(gutterFor(320).width);
});

test('on a very wide screen names have more room, and still leave most of it to time', () => {
  const [desk, vast] = [gutterFor(860), gutterFor(1_500, 18)];
  expect([desk.isVast, vast.isVast]).toEqual([false, true]);
  expect(vast.width).toBeGreaterThan(desk.width);
  expect(vast.width / 1_500).toBeLessThan(0.25);
});

test('with larger text, names have more room', () => {
  const [usual, large] = [gutterFor(1_000, 16), gutterFor(1_000, 18)];
  expect(large.width / usual.width).toBeCloseTo(18 / 16, 1);
  expect(gutterFor(600, 18).isWide).toBe(false);
});

test('the axis accepts every range; one is the initial range, and the last is everything that is kept', () => {
  const axis = new TimeAxis();
  axis.advance(2_000_000);
  expect(rangeOf(axis.span)).toBe(WIDTH_MS_AT_FIRST);
  for (const { width_ms } of RANGES) {
    axis.showWidth(width_ms);
    expect(rangeOf(axis.span)).toBe(width_ms);
    expect(axis.span.to_ms).toBe(2_000_000);
    expect(axis.following).toBe(true);
  }
  expect(RANGES.at(-1)!.width_ms).toBe(WIDTH_MS_MAX);
  axis.zoom(1.5);
  expect(rangeOf(axis.span)).toBe(null);
});

test('a paused axis keeps its right end when another range is chosen, within the kept time', () => {
  const axis = new TimeAxis();
  axis.advance(2_000_000);
  axis.pan(-500_000);
  axis.showWidth(30_000);
  expect(axis.span).toEqual({ from_ms: 1_470_000, to_ms: 1_500_000 });
  axis.showWidth(WIDTH_MS_MAX);
  expect(axis.span).toEqual({ from_ms: 2_000_000 - WIDTH_MS_MAX, to_ms: 2_000_000 });
});
