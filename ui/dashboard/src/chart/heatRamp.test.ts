import { expect, test } from 'vitest';
import { HEAT_STEPS, HeatScale, heatRamp } from './heatRamp.ts';

/** The relative luminance of an oklch() colour for WCAG's contrast, by Björn Ottosson's matrices. */
function luminance(colour: string): number {
  const [lightness, chroma, hue] = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/.exec(colour)!.slice(1).map(Number) as [number, number, number];
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const light = lightness / 100;
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const within = (value: number) => Math.min(1, Math.max(0, value));
  return (
    0.2126 * within(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short) +
    0.7152 * within(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short) +
    0.0722 * within(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short)
  );
}
const contrast = (one: string, other: string) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

test.each([false, true])('each step differs in lightness from the previous one, and text on it is readable (dark: %s)', (isDark) => {
  const ramp = heatRamp(isDark);
  expect(ramp).toHaveLength(HEAT_STEPS);
  for (const [index, { colour, ink }] of ramp.entries()) {
    expect(contrast(colour, ink), colour).toBeGreaterThan(4.5);
    if (index === 0) continue;
    const [before, after] = [luminance(ramp[index - 1]!.colour), luminance(colour)];
    if (isDark) expect(after).toBeGreaterThan(before);
    else expect(after).toBeLessThan(before);
  }
});

test('zero has no step, the least count has the first, the greatest the last, and decades are evenly spaced', () => {
  const scale = new HeatScale(10_000);
  expect([0, 0.3, 1, 100, 10_000, 99_999].map((value) => scale.step(value))).toEqual(
    [-1, 0, 0, (HEAT_STEPS - 1) / 2, HEAT_STEPS - 1, HEAT_STEPS - 1].map(Math.round),
  );
  expect(scale.level(100) - scale.level(10)).toBeCloseTo(scale.level(1_000) - scale.level(100));
});

test('the scale is the same up to 10,000, and ends at a round number above, which the legend lists after the powers of ten', () => {
  for (const greatest of [0, 10, 900, 10_000]) expect(new HeatScale(greatest).ticks()).toEqual([1, 10, 100, 1_000, 10_000]);
  expect(new HeatScale(17_000).ticks()).toEqual([1, 10, 100, 1_000, 20_000]);
  expect(new HeatScale(41_000).ticks()).toEqual([1, 10, 100, 1_000, 10_000, 50_000]);
});
