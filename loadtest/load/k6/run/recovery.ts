// Recovery: how long after the height of a storm the site was as it had been before.

import { median } from '../../../kit/statistics.ts';
import type { Second } from './tally.ts';

/** The calm before: this share of the seconds, from the beginning. */
const CALM_SHARE = 0.25;
/** No spike where the height is less than so many times the calm. */
const SPIKE_TIMES = 2;
/** Seconds that belong to the height: where as much was sent, of the most. */
const HEIGHT_SHARE = 0.9;
/** As before: a p99 of up to so many times the calm's, and by up to so much more. */
const P99_TIMES = 1.5;
const P99_MORE_MS = 25;
/** For so many seconds with work in a row: one lucky second is no calm. */
const CALM_SECONDS = 2;

/** Visitors who were sent away, or never learnt what became of what they asked for. */
const troubleOf = ({ shed, unknown, failed }: Second): number => shed + unknown + failed;

/**
 * Seconds from the end of the height to the first of which p99 and trouble are as before it; null: they never were again.
 * Undefined: there was no spike, or nothing to hold it against. The last second is left out: it is cut off anywhere.
 */
export function backToNormal(seconds: readonly Second[]): number | null | undefined {
  const whole = seconds.slice(0, -1);
  const calm = whole.slice(0, Math.floor(CALM_SHARE * whole.length));
  const before_ms = calm.flatMap(({ p99_ms }) => p99_ms ?? []);
  if (before_ms.length === 0) return undefined;
  const most = Math.max(...whole.map(({ sent }) => sent));
  if (most < SPIKE_TIMES * median(calm.map(({ sent }) => sent))) return undefined;
  const height = whole.findLastIndex(({ sent }) => sent >= HEIGHT_SHARE * most);
  const p99_max = Math.max(P99_TIMES * median(before_ms), median(before_ms) + P99_MORE_MS);
  const trouble_max = Math.max(...calm.map(troubleOf));
  const isCalm = (second: Second) => troubleOf(second) <= trouble_max && (second.p99_ms === null || second.p99_ms <= p99_max);
  for (let at = height + 1; at + CALM_SECONDS <= whole.length; at++) {
    if (whole.slice(at, at + CALM_SECONDS).every(isCalm)) return at - height - 1;
  }
  return null;
}
