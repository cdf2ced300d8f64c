// What is the same on the wire, and copies of it.

import type { Call } from './call.ts';
import type { WireValue } from './values.ts';

type Args = readonly unknown[];

/** Whether both are the same operation with equal arguments, on any record. */
export function isSameCall(first: Call, second: Call): boolean {
  return first.spec.code === second.spec.code && isSameArguments(first.args, second.args);
}

export function isSameArguments(first: Args, second: Args): boolean {
  if (first.length !== second.length) return false;
  for (let i = 0; i < first.length; i++) if (!isSame(first[i], second[i])) return false;
  return true;
}

/** Whether both are the same on the wire. A safe integer may be a number or a bigint. */
export function isSame(first: unknown, second: unknown): boolean {
  if (Object.is(first, second)) return true;
  if (typeof first === 'bigint') return Number.isSafeInteger(second) && BigInt(second as number) === first;
  if (typeof second === 'bigint') return isSame(second, first);
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, i) => isSame(item, second[i]));
  }
  if (typeof first !== 'object' || first === null || second === null) return false;
  const entries = Object.entries(first);
  const others = second as Record<string, unknown>;
  return (
    entries.length === Object.keys(others).length &&
    entries.every(([name, item]) => Object.hasOwn(others, name) && isSame(item, others[name]))
  );
}

/** A copy with its own lists, so that a change to one body's result does not affect another's. */
export function copyOf(value: WireValue): WireValue {
  return Array.isArray(value) ? value.map(copyOf) : value;
}
