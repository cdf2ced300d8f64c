// Moments and durations in words. Times are milliseconds since 1970; `now_ms` is the server's.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `Nov 21, 2026, 4:20 PM` in the reader's time zone. */
export function formatMoment(at_ms: number, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at_ms);
}

/** `November 2026`; in little space: `Nov 2026` */
export function formatMonth(at_ms: number, locale?: string, timeZone?: string, style: 'long' | 'short' = 'long'): string {
  return new Intl.DateTimeFormat(locale, { month: style, year: 'numeric', timeZone }).format(at_ms);
}

/** `3 minutes ago`, `in 2 days`, `now`; in little space: `3m ago` */
export function formatRelative(at_ms: number, now_ms: number, locale?: string, style: 'long' | 'narrow' = 'long'): string {
  const distance_ms = at_ms - now_ms;
  const size_ms = Math.abs(distance_ms);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style });
  if (size_ms < 5 * SECOND_MS) return format.format(0, 'second');
  if (size_ms < MINUTE_MS) return format.format(Math.trunc(distance_ms / SECOND_MS), 'second');
  if (size_ms < HOUR_MS) return format.format(Math.trunc(distance_ms / MINUTE_MS), 'minute');
  if (size_ms < DAY_MS) return format.format(Math.trunc(distance_ms / HOUR_MS), 'hour');
  if (size_ms < 30 * DAY_MS) return format.format(Math.trunc(distance_ms / DAY_MS), 'day');
  if (size_ms < 365 * DAY_MS) return format.format(Math.trunc(distance_ms / (30 * DAY_MS)), 'month');
  return format.format(Math.trunc(distance_ms / (365 * DAY_MS)), 'year');
}

/** Whole seconds until `end_ms`, rounded up so that 0 means ended. */
export function secondsLeft(end_ms: number, now_ms: number): number {
  return Math.max(0, Math.ceil((end_ms - now_ms) / SECOND_MS));
}

/**
 * A countdown's text: no seconds above a minute, whole seconds below. 93,600 s → `1d 2h`; 7,380 s → `2h 3m`; 240 s → `4m`; 42 s → `42s`; 0
 * → `Ended`.
 */
export function formatCountdown(seconds: number): string {
  if (seconds <= 0) return 'Ended';
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}h` : `${hours}h ${minutes % 60}m`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days}d` : `${days}d ${hours % 24}h`;
}

/** The same in full words, for screen readers: `4 minutes left`. */
export function speakCountdown(seconds: number, locale = 'en'): string {
  if (seconds <= 0) return 'Ended';
  const unit = seconds < 60 ? 'second' : seconds < 3_600 ? 'minute' : seconds < 86_400 ? 'hour' : 'day';
  const size = { second: 1, minute: 60, hour: 3_600, day: 86_400 }[unit];
  const count = Math.floor(seconds / size);
  return `${new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)} left`;
}
