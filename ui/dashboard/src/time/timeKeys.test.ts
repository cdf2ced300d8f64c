import { expect, test } from 'vitest';
import { TimeAxis } from './timeAxis.ts';
import { pressKey } from './timeKeys.ts';

const NO_MODIFIERS = { altKey: false, ctrlKey: false, metaKey: false };
const press = (axis: TimeAxis, key: string, modifiers = NO_MODIFIERS) => pressKey(axis, { key, ...modifiers });

test('arrows pan, space pauses and resumes, Home follows', () => {
  const axis = new TimeAxis();
  axis.advance(1_000_000);
  expect(press(axis, 'ArrowLeft')).toBe(true);
  expect(axis.span).toEqual({ from_ms: 928_000, to_ms: 988_000 });
  expect(axis.following).toBe(false);
  press(axis, 'ArrowRight');
  expect(axis.span.to_ms).toBe(1_000_000);
  press(axis, 'Home');
  expect(axis.following).toBe(true);
  press(axis, ' ');
  expect(axis.following).toBe(false);
  press(axis, ' ');
  expect(axis.following).toBe(true);
});

test('plus shows less time, minus more by the same factor', () => {
  const axis = new TimeAxis();
  axis.advance(1_000_000);
  press(axis, '+');
  expect(axis.span.from_ms).toBeCloseTo(960_000);
  press(axis, '-');
  expect(axis.span.from_ms).toBeCloseTo(940_000);
});

test('other keys, and keys with a modifier, do not affect the axis', () => {
  const axis = new TimeAxis();
  expect(press(axis, 'a')).toBe(false);
  expect(press(axis, '-', { ...NO_MODIFIERS, ctrlKey: true })).toBe(false);
});
