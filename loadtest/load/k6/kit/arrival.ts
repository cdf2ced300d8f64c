// Curves of arrivals: the number of visitors per second, over the storm. The model is open: visitors arrive whether or not earlier
// ones have been served, as crowds do, so that a slow site meets a growing crowd rather than a waiting one.
//
// A curve has the form of k6's `ramping-arrival-rate`: an initial rate and linear stages from one rate to the next. Pure: no k6
// here.

import { CLOSE_SHARE } from '../storm.ts';

export interface Stage {
  seconds: number;
  /** the rate at its end */
  per_s: number;
}

export interface Curve {
  start_per_s: number;
  stages: Stage[];
  /** what begins when, for the dashboard's time axis */
  marks: { at_s: number; text: string }[];
}

/** The rate before and after the storm, as a share of its height. */
const CALM = 0.05;
/** Linear pieces of an exponential: with this number the error is less than half a percent of the height. */
const PIECES = 24;

/** From one rate to another by the same factor in each piece. */
function exponentialStages(from_per_s: number, to_per_s: number, seconds: number): Stage[] {
  return Array.from({ length: PIECES }, (_, i) => ({
    seconds: seconds / PIECES,
    per_s: from_per_s * (to_per_s / from_per_s) ** ((i + 1) / PIECES),
  }));
}

/** Exponential to the close of the hot auction (the paper, section 6.2), then a tail of visitors who look at the result. */
export function lastMinute(peak_per_s: number, duration_s: number): Curve {
  const [calm_per_s, close_s] = [peak_per_s * CALM, duration_s * CLOSE_SHARE];
  const left_s = duration_s - close_s;
  return {
    start_per_s: calm_per_s,
    stages: [
      ...exponentialStages(calm_per_s, peak_per_s, close_s),
      { seconds: left_s * 0.2, per_s: peak_per_s * 0.4 },
      { seconds: left_s * 0.3, per_s: calm_per_s },
      { seconds: left_s * 0.5, per_s: calm_per_s },
    ],
    marks: [
      { at_s: 0, text: 'the last minute begins' },
      { at_s: close_s, text: 'the hot auction closes' },
    ],
  };
}

/** A post goes viral: calm, exponential growth, the peak, exponential decay. */
export function viral(peak_per_s: number, duration_s: number): Curve {
  const calm_per_s = peak_per_s * CALM;
  const parts = { calm: 0.1, rise: 0.4, height: 0.2, decay: 0.3 };
  return {
    start_per_s: calm_per_s,
    stages: [
      { seconds: duration_s * parts.calm, per_s: calm_per_s },
      ...exponentialStages(calm_per_s, peak_per_s, duration_s * parts.rise),
      { seconds: duration_s * parts.height, per_s: peak_per_s },
      ...exponentialStages(peak_per_s, calm_per_s, duration_s * parts.decay),
    ],
    marks: [
      { at_s: 0, text: 'a post is out' },
      { at_s: duration_s * parts.calm, text: 'it spreads' },
      { at_s: duration_s * (parts.calm + parts.rise), text: 'everybody talks about it' },
      { at_s: duration_s * (parts.calm + parts.rise + parts.height), text: 'it fades' },
    ],
  };
}

/** A tenth of the height, suddenly ten times as much, suddenly a tenth again; each for a third of the time. */
export function flash(peak_per_s: number, duration_s: number): Curve {
  const [calm_per_s, edge_s] = [peak_per_s / 10, duration_s * 0.02];
  const third_s = duration_s / 3;
  return {
    start_per_s: calm_per_s,
    stages: [
      { seconds: third_s - edge_s / 2, per_s: calm_per_s },
      { seconds: edge_s, per_s: peak_per_s },
      { seconds: third_s - edge_s, per_s: peak_per_s },
      { seconds: edge_s, per_s: calm_per_s },
      { seconds: third_s - edge_s / 2, per_s: calm_per_s },
    ],
    marks: [
      { at_s: 0, text: 'steady browsing' },
      { at_s: third_s, text: 'the flash crowd comes' },
      { at_s: 2 * third_s, text: 'the flash crowd has gone' },
    ],
  };
}

/** A constant rate. */
export function steady(per_s: number, duration_s: number): Curve {
  return { start_per_s: per_s, stages: [{ seconds: duration_s, per_s }], marks: [{ at_s: 0, text: 'steady visitors' }] };
}

/** The time in which the average number of visitors arrives at the beginning. */
const FILLING_S = 2;

/** Sessions that last: the average number arrives at the beginning; from then on arrivals replace departures. */
export function sessions(per_s: number, session_s: number, duration_s: number): Curve {
  const filling_s = Math.min(FILLING_S, duration_s / 4);
  const filling_per_s = per_s + (per_s * session_s) / filling_s;
  const edge_s = filling_s / 100;
  return {
    start_per_s: filling_per_s,
    stages: [
      { seconds: filling_s - edge_s, per_s: filling_per_s },
      { seconds: edge_s, per_s },
      { seconds: duration_s - filling_s, per_s },
    ],
    marks: [{ at_s: 0, text: 'steady visitors' }],
  };
}

/** A share of the crowd, with the same curve. */
export function share(curve: Curve, part: number): Curve {
  const stages = curve.stages.map(({ seconds, per_s }) => ({ seconds, per_s: per_s * part }));
  return { ...curve, start_per_s: curve.start_per_s * part, stages };
}

export const secondsOf = ({ stages }: Curve): number => stages.reduce((sum, { seconds }) => sum + seconds, 0);

/** The total number of arrivals. */
export function arrivalsOf({ start_per_s, stages }: Curve): number {
  let [before_per_s, count] = [start_per_s, 0];
  for (const { seconds, per_s } of stages) {
    count += (seconds * (before_per_s + per_s)) / 2;
    before_per_s = per_s;
  }
  return count;
}

export const heightOf = ({ start_per_s, stages }: Curve): number => Math.max(start_per_s, ...stages.map(({ per_s }) => per_s));
