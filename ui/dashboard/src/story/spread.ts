// How much a rate varied: the quartiles of its seconds. Two rates differ clearly if the middle halves of their seconds do not meet.
import type { Span } from '../store/span.ts';
import type { CountName, TotalsSeries } from '../store/totalsSeries.ts';
import { isUnwatched } from '../store/watched.ts';

export interface Spread {
  /** a quarter of the seconds was below it, and a quarter above `high` */
  low: number;
  high: number;
}

const SECOND_MS = 1_000;

/** The rate in each whole second of the span, oldest first; seconds without telemetry are left out. */
export function ratesOf(totals: TotalsSeries, { from_ms, to_ms }: Span, name: CountName): { at_ms: number; per_s: number }[] {
  const rates: { at_ms: number; per_s: number }[] = [];
  for (let at_ms = from_ms; at_ms + SECOND_MS <= to_ms; at_ms += SECOND_MS) {
    const second = { from_ms: at_ms, to_ms: at_ms + SECOND_MS };
    const per_s = isUnwatched(totals, second) ? null : totals.perSecond(second, name);
    if (per_s !== null) rates.push({ at_ms, per_s });
  }
  return rates;
}

/** Null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
    return below + (above - below) * (place - Math.floor(place));
  };
  return { low: at(0.25), high: at(0.75) };
}

export const differ = (one: Spread, other: Spread): boolean => one.high < other.low || other.high < one.low;
