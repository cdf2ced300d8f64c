// Recovery: how long after the peak of a storm the site was back to normal.

import { median } from '../../../kit/statistics.ts';
import type { Second } from './tally.ts';

/** The calm before the peak: this share of the seconds, from the beginning. */
const CALM_SHARE = 0.25;
/** There is no peak if the maximum is less than this multiple of the calm. */
const SPIKE_TIMES = 2;
/** Seconds of the peak: those with at least this share of the most requests sent. */
const HEIGHT_SHARE = 0.9;
/** Normal: a p99 of up to this multiple of the calm's, and up to this much more. */
const P99_TIMES = 1.5;
const P99_MORE_MS = 25;
/** For this many consecutive seconds with work: one lucky second does not count. */
const CALM_SECONDS = 2;

/** Visitors who were shed, or whose outcome is unknown or failed. */
const troubleOf = ({ shed, unknown, failed }: Second): number => shed + unknown + failed;

/**
 * Seconds from the end of the peak to the first with normal p99 and trouble; null: they never returned to normal. Undefined: there
 * was no peak, or nothing to compare it with. The last second is omitted, because it is incomplete.
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
