// The age of a post in short form: `now`, `5m`, `3h`, `2d`, then the day.
import { formatRelative } from '@claret/ui/kit';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

const UNITS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
  ['second', SECOND_MS],
] as const;

/** tolerance for clocks that differ a little: no post is in the future */
const JUST_NOW_MS = 5 * SECOND_MS;

export function briefTime(at_ms: number, now_ms: number, locale?: string, timeZone?: string): string {
  const age_ms = now_ms - at_ms;
  if (age_ms < JUST_NOW_MS) return formatRelative(now_ms, now_ms, locale);
  if (age_ms < WEEK_MS) {
    const [unit, size_ms] = UNITS.find(([, least_ms]) => age_ms >= least_ms)!;
    const count = Math.floor(age_ms / size_ms);
    return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(count);
  }
  const year = (ms: number) => new Intl.DateTimeFormat(locale, { year: 'numeric', timeZone }).format(ms);
  const isThisYear = year(at_ms) === year(now_ms);
  const parts = { month: 'short', day: 'numeric', timeZone, ...(isThisYear ? {} : { year: 'numeric' as const }) } as const;
  return new Intl.DateTimeFormat(locale, parts).format(at_ms);
}
