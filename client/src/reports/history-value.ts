// The form that values have in a history.

import type { Kind, Scalar } from '../values/values.ts';
import type { HistoryValue } from './history.ts';

/** A copy of the caller's value as JSON. Entries become [field, value] pairs, sorted by field. */
export function historyValue(kind: Kind, value: unknown): HistoryValue {
  if (kind !== 'entries') return plain(value);
  const entries = Object.entries(value as Record<string, Scalar>);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, scalar]) => [field, plain(scalar)]);
}

function plain(value: unknown): HistoryValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
  if (Array.isArray(value)) return value.map(plain);
  if (Object.is(value, -0)) return 0;
  return value as string | number | boolean | null;
}
