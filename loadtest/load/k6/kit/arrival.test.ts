import { describe, expect, it } from 'vitest';
import { CLOSE_SHARE } from '../storm.ts';
import { arrivalsOf, flash, heightOf, lastMinute, secondsOf, sessions, share, steady, viral, type Curve } from './arrival.ts';

const PEAK_PER_S = 800;
const DURATION_S = 60;

/** Visitors per second at a moment, by k6's linear stages. */
function rateAt({ start_per_s, stages }: Curve, at_s: number): number {
  let [from_s, from_per_s] = [0, start_per_s];
  for (const { seconds, per_s } of stages) {
    if (at_s <= from_s + seconds) return from_per_s + ((per_s - from_per_s) * (at_s - from_s)) / seconds;
    [from_s, from_per_s] = [from_s + seconds, per_s];
  }
  return from_per_s;
}

describe.each([
  ['lastMinute', lastMinute],
  ['viral', viral],
  ['flash', flash],
  ['steady', steady],
])('%s', (_name, curve) => {
  it('has the requested duration and height', () => {
    expect(secondsOf(curve(PEAK_PER_S, DURATION_S))).toBeCloseTo(DURATION_S, 6);
    expect(heightOf(curve(PEAK_PER_S, DURATION_S))).toBeCloseTo(PEAK_PER_S, 6);
  });

  it('has no stage that goes back in time, and has its marks in order', () => {
    const { stages, marks } = curve(PEAK_PER_S, DURATION_S);
    expect(stages.every(({ seconds, per_s }) => seconds > 0 && per_s > 0)).toBe(true);
    const times = marks.map(({ at_s }) => at_s);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((at_s) => at_s >= 0 && at_s < DURATION_S)).toBe(true);
  });
});

describe('the last minute', () => {
  const curve = lastMinute(PEAK_PER_S, DURATION_S);
  const close_s = CLOSE_SHARE * DURATION_S;

  it('rises by the same factor in the same time, in at least twenty steps, up to the close', () => {
    const exact = (at_s: number) => PEAK_PER_S * 0.05 ** (1 - at_s / close_s);
    for (let at_s = 0; at_s <= close_s; at_s += 0.1) expect(Math.abs(rateAt(curve, at_s) - exact(at_s))).toBeLessThan(0.005 * PEAK_PER_S);
    expect(curve.stages.filter((_, i, all) => all[i - 1] === undefined || all[i]!.per_s > all[i - 1]!.per_s).length).toBeGreaterThanOrEqual(
      20,
    );
  });

  it('has its peak when the hot auction closes, and is calm at the end', () => {
    expect(rateAt(curve, close_s)).toBeCloseTo(PEAK_PER_S, 6);
    expect(rateAt(curve, DURATION_S)).toBeCloseTo(0.05 * PEAK_PER_S, 6);
    expect(curve.marks.at(-1)).toEqual({ at_s: close_s, text: 'the hot auction closes' });
  });
});

it('a flash crowd is ten times the load before and after it', () => {
  const curve = flash(PEAK_PER_S, DURATION_S);
  expect([1, 30, 59].map((at_s) => rateAt(curve, at_s))).toEqual([PEAK_PER_S / 10, PEAK_PER_S, PEAK_PER_S / 10]);
});

it('counts arrivals as the area below the curve', () => {
  expect(arrivalsOf(steady(100, 30))).toBe(3_000);
  expect(arrivalsOf({ start_per_s: 0, stages: [{ seconds: 10, per_s: 20 }], marks: [] })).toBe(100);
});

it('sessions fill the site at once, and then arrive at the rate at which they leave', () => {
  const [per_s, session_s] = [4, 30];
  const curve = sessions(per_s, session_s, DURATION_S);
  expect(secondsOf(curve)).toBeCloseTo(DURATION_S, 6);
  expect(Math.abs(arrivalsOf(curve) - (per_s * session_s + per_s * DURATION_S))).toBeLessThan(0.02 * arrivalsOf(curve));
  expect([10, 30, 59].map((at_s) => rateAt(curve, at_s))).toEqual([per_s, per_s, per_s]);
});

it('the parts of a crowd add up to the crowd', () => {
  const curve = viral(PEAK_PER_S, DURATION_S);
  expect(arrivalsOf(share(curve, 0.7)) + arrivalsOf(share(curve, 0.3))).toBeCloseTo(arrivalsOf(curve), 6);
});
