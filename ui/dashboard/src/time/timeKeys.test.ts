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

test('Perfetto’s keys do the same as arrows, plus and minus', () => {
  for (const [its, usual] of [
    ['w', '+'],
    ['S', '-'],
    ['a', 'ArrowLeft'],
    ['d', 'ArrowRight'],
  ] as const) {
    const [axis, other] = [new TimeAxis(), new TimeAxis()];
    for (const one of [axis, other]) {
      one.advance(1_000_000);
      one.pick({ from_ms: 900_000, to_ms: 910_000 });
    }
    expect(press(axis, its)).toBe(true);
    press(other, usual);
    expect(axis.span).toEqual(other.span);
    expect(axis.span).not.toEqual({ from_ms: 900_000, to_ms: 910_000 });
  }
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
  expect(press(axis, 'x')).toBe(false);
  expect(press(axis, '-', { ...NO_MODIFIERS, ctrlKey: true })).toBe(false);
  expect(press(axis, 's', { ...NO_MODIFIERS, metaKey: true })).toBe(false);
});
