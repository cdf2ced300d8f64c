import { expect, test } from 'vitest';
import { crossing, equilibriumOf } from './equilibrium.ts';

const points = (...ratios: number[]) => ratios.map((ratio, i) => ({ share: i / (ratios.length - 1), ratio }));

test('natives that win at every share have their equilibrium at 0, whatever was measured without natives', () => {
  expect(equilibriumOf(points(0.93, 1.05, 1.5)).share).toBe(0);
  expect(equilibriumOf(points(1.2, 1.3, 1.4)).share).toBe(0);
});

test('the equilibrium lies on the line between the last share that loses and the next', () => {
  expect(crossing(points(1, 0.9, 1.1), 1)).toBeCloseTo(0.75);
  expect(crossing(points(1, 0.5, 2, 0.75, 1.25), 1)).toBeCloseTo(0.875);
  expect(
    crossing(
      [
        { share: 1, ratio: 1.1 },
        { share: 0.5, ratio: 0.9 },
      ],
      1,
    ),
  ).toBeCloseTo(0.75);
});

test('where natives alone lose, there is no equilibrium', () => {
  expect(equilibriumOf(points(1, 1.5, 0.95))).toEqual({ share: null, band: [0, null] });
});

test('the band reaches from the share that loses at most a tenth to the one that wins at least a tenth', () => {
  const { band } = equilibriumOf(points(1, 1.2, 1.4));
  expect(band[0]).toBe(0);
  expect(band[1]).toBeCloseTo(0.25);
});
