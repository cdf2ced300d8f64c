import { expect, test } from 'vitest';
import { TimeAxis, WIDTH_MS_AT_FIRST, WIDTH_MS_MAX, WIDTH_MS_MIN } from './timeAxis.ts';

const width = (axis: TimeAxis) => axis.span.to_ms - axis.span.from_ms;

function axisAt(now_ms: number): TimeAxis {
  const axis = new TimeAxis();
  axis.advance(now_ms);
  return axis;
}

test('it follows the newest data, and goes back with a recording that jumps', () => {
  const axis = axisAt(1_000_000);
  expect(axis.span).toEqual({ from_ms: 1_000_000 - WIDTH_MS_AT_FIRST, to_ms: 1_000_000 });
  axis.advance(1_000_500);
  expect(axis.span.to_ms).toBe(1_000_500);
  axis.advance(900_000);
  expect(axis.span.to_ms).toBe(900_000);
});

test('it stands at an instant with as much time as before, within what is kept', () => {
  const axis = axisAt(1_000_000);
  axis.standAt(950_000);
  expect(axis.span).toEqual({ from_ms: 950_000 - WIDTH_MS_AT_FIRST, to_ms: 950_000 });
  expect(axis.following).toBe(false);
  axis.standAt(2_000_000);
  expect(axis.span.to_ms).toBe(1_000_000);
});

test('paused, it stands still while time goes on; following again, it shows the newest data', () => {
  const axis = axisAt(1_000_000);
  axis.pause();
  const { span } = axis;
  axis.advance(1_030_000);
  expect(axis.span).toBe(span);
  expect(axis.following).toBe(false);
  axis.follow();
  expect(axis.span).toEqual({ from_ms: 1_030_000 - WIDTH_MS_AT_FIRST, to_ms: 1_030_000 });
});

test('zooming keeps the newest data in place while following, and the pointed instant while paused', () => {
  const axis = axisAt(1_000_000);
  axis.zoom(2, 950_000);
  expect(axis.span).toEqual({ from_ms: 970_000, to_ms: 1_000_000 });
  expect(axis.following).toBe(true);
  axis.pause();
  axis.zoom(2, 980_000);
  expect(width(axis)).toBe(15_000);
  expect((980_000 - axis.span.from_ms) / 15_000).toBeCloseTo((980_000 - 970_000) / 30_000);
});

test('its width stays within the limits', () => {
  const axis = axisAt(10_000_000);
  axis.zoom(1e9);
  expect(width(axis)).toBe(WIDTH_MS_MIN);
  axis.zoom(1e-9);
  expect(width(axis)).toBe(WIDTH_MS_MAX);
  axis.zoom(0);
  axis.zoom(Number.NaN);
  expect(width(axis)).toBe(WIDTH_MS_MAX);
  axis.pick({ from_ms: 9_900_000, to_ms: 9_900_001 });
  expect(width(axis)).toBe(WIDTH_MS_MIN);
});

test('panning and picking stop at the newest data and at the oldest kept data', () => {
  const axis = axisAt(10_000_000);
  axis.pan(1e12);
  expect(axis.span.to_ms).toBe(10_000_000);
  expect(axis.following).toBe(false);
  axis.pan(-1e12);
  expect(axis.span.from_ms).toBe(10_000_000 - WIDTH_MS_MAX);
  axis.pick({ from_ms: 9_950_000, to_ms: 9_920_000 });
  expect(axis.span).toEqual({ from_ms: 9_920_000, to_ms: 9_950_000 });
});

test('its version grows with every change, and listeners are notified of user actions', () => {
  const axis = axisAt(1_000);
  let heard = 0;
  const stop = axis.onChange(() => heard++);
  const before = axis.version;
  axis.advance(2_000);
  expect(axis.version).toBeGreaterThan(before);
  expect(heard).toBe(0);
  axis.hover(1_500);
  axis.hover(1_500);
  expect(heard).toBe(1);
  stop();
  axis.pause();
  expect(heard).toBe(1);
});
