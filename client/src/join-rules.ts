// Join rules: when does the result of one operation follow from another that stands on the same record? Said by the
// data types, in the catalogue; nothing here knows a type.

import type { Kind, OperationSpec, WireValue } from './values.ts';
import type { Call } from './wire/client-frame.ts';

/** May other transactions of this process join it? */
export function isCombinable(spec: OperationSpec): boolean {
  return spec.combinable;
}

export function isSameCall(first: Call, second: Call): boolean {
  return first.spec.code === second.spec.code && first.args.every((arg, i) => isSame(arg, second.args[i]));
}

function isSame(first: unknown, second: unknown): boolean {
  if (Object.is(first, second)) return true;
  // A safe integer may come as a number or as a bigint.
  if (typeof first !== typeof second) return isNumeric(first) && isNumeric(second) && first == second;
  if (Array.isArray(first) && Array.isArray(second)) {
    return first.length === second.length && first.every((item, i) => isSame(item, second[i]));
  }
  if (typeof first !== 'object' || first === null || second === null) return false;
  const entries = Object.entries(first);
  const others = second as Record<string, unknown>;
  return entries.length === Object.keys(others).length && entries.every(([name, item]) => Object.hasOwn(others, name) && isSame(item, others[name]));
}

const isNumeric = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

/** May the read's result follow from that of the one that stands, as far as can be told before there is one? */
export function mayFollow(standing: Call, read: Call): boolean {
  return isSameCall(standing, read);
}

/** The read's result, or undefined where it does not follow. */
export function resultFrom(standing: Call, result: WireValue, read: Call): WireValue | undefined {
  return isSameCall(standing, read) ? copyOf(result) : undefined;
}

/** Does a void operation hold the gate with whatever holds it beside the one that stands? Under abstract locks only. */
export function isCovered(standing: Call, operation: Call): boolean {
  return standing.spec.mode === operation.spec.mode && typeOf(standing.spec) === typeOf(operation.spec);
}

const typeOf = (spec: OperationSpec): number => spec.code >> 8;

/** Everybody gets lists of their own: what a body does to its result is nobody else's. */
export function copyOf(value: WireValue): WireValue {
  return Array.isArray(value) ? value.map(copyOf) : value;
}

export const isVoid = (spec: OperationSpec): boolean => spec.result === ('void' satisfies Kind);
