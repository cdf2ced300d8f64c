// Join rules: whether the result of one operation follows from another that stands on the same record. The data types declare the
// rules in the catalogue (JoinRule in server-core/src/adt/adt.h). This file interprets them as server-core/src/adt/join.cc does,
// for any type.

import type { Call } from './call.ts';
import type { JoinHow, JoinRule, OperationSpec } from './operation-spec.ts';
import type { Integer, WireValue } from './values.ts';

type Args = readonly unknown[];

/** The greatest number of items in one answer. A longer list comes in pages. */
const ITEMS_MAX = 1000n;

interface Meaning {
  /** Whether the result follows, judged by the arguments. */
  follows(holds: Args, asks: Args, at: number): boolean;
  /** REQUIRES: it follows. Returns undefined if the held result is not long enough. */
  take(holds: Args, result: WireValue, asks: Args, at: number): WireValue | undefined;
}

const meanings: Record<JoinHow, Meaning> = {
  equal: { follows: () => false, take: () => undefined },

  prefix: {
    follows: (holds, asks, at) =>
      differsOnly(holds, asks, at, 1) && (asks[at] as Integer) >= 1 && (asks[at] as Integer) <= (holds[at] as Integer),
    take: (_holds, result, asks, at) => itemsOf(result).slice(0, Number(asks[at])),
  },

  first: { follows: () => true, take: (_holds, result) => itemsOf(result)[0] ?? null },

  fields: {
    follows: (holds, asks, at) =>
      differsOnly(holds, asks, at, 1) && (asks[at] as string[]).every((name) => (holds[at] as string[]).includes(name)),
    take: (holds, result, asks, at) => (asks[at] as string[]).map((name) => itemsOf(result)[(holds[at] as string[]).indexOf(name)]!),
  },

  sub_range: {
    follows(holds, asks, at) {
      const [heldStart, heldStop, start, stop] = [holds[at], holds[at + 1], asks[at], asks[at + 1]] as Integer[];
      return differsOnly(holds, asks, at, 2) && heldStart! >= 0 && start! >= heldStart! && stop! >= start! && stop! <= heldStop!;
    },
    // Pages have at most ITEMS_MAX items, or more. A shorter answer contains the last item. After a longer one there may be more, and how
    // many a wide range gives is unknown.
    take(holds, result, asks, at) {
      const [start, stop] = [BigInt(asks[at] as Integer), BigInt(asks[at + 1] as Integer)];
      const items = itemsOf(result);
      const first = start - BigInt(holds[at] as Integer);
      const end = first + (stop - start < ITEMS_MAX ? stop - start + 1n : ITEMS_MAX);
      if (end > items.length && BigInt(items.length) >= ITEMS_MAX) return undefined;
      if (stop - start >= ITEMS_MAX && BigInt(items.length) > ITEMS_MAX) return undefined;
      return first >= items.length ? [] : items.slice(Number(first), end > items.length ? items.length : Number(end));
    },
  },

  sub_range_by_score: {
    follows(holds, asks, at) {
      const [heldMin, heldMax, heldLimit] = holds.slice(at) as Integer[];
      const [min, max, limit, after] = asks.slice(at) as [Integer, Integer, Integer, unknown];
      if (!differsOnly(holds, asks, at, 3) || (after !== null && !isSame(min, heldMin))) return false;
      return min >= heldMin! && max <= heldMax! && limit >= 1 && limit <= heldLimit!;
    },
    take(holds, result, asks, at) {
      const [min, max, limit] = asks.slice(at) as [Integer, Integer, Integer];
      const found: WireValue[] = [];
      const items = itemsOf(result);
      for (const item of items) {
        const score = itemsOf(item)[1] as Integer;
        if (score > max || BigInt(found.length) === BigInt(limit)) return found;
        if (score >= min) found.push(item);
      }
      const reached = items.length < (holds[at + 2] as Integer) || BigInt(found.length) === BigInt(limit);
      return reached ? found : undefined;
    },
  },
};

const itemsOf = (value: WireValue): WireValue[] => value as WireValue[];

function ruleFor(standing: OperationSpec, spec: OperationSpec): JoinRule | undefined {
  return spec.joins.find(({ holder }) => holder === standing.code);
}

/** Whether the operation may be shared, or join another. */
export function isCombinable(spec: OperationSpec): boolean {
  return spec.combinable;
}

/** Whether the result may follow from the operation that stands, judged before that one has a result. */
export function mayFollow(standing: Call, call: Call): boolean {
  const rule = ruleFor(standing.spec, call.spec);
  if (rule === undefined) return false;
  return isSameCall(standing, call) || meanings[rule.how].follows(standing.args, call.args, rule.parameter);
}

/** The result as the shard would give it (null: void, or absent); undefined if it does not follow. */
export function resultFrom(standing: Call, result: WireValue, call: Call): WireValue | undefined {
  const rule = ruleFor(standing.spec, call.spec);
  if (rule === undefined) return undefined;
  if (isSameCall(standing, call)) return copyOf(result);
  const { follows, take } = meanings[rule.how];
  if (!follows(standing.args, call.args, rule.parameter)) return undefined;
  const taken = take(standing.args, result, call.args, rule.parameter);
  return taken === undefined ? undefined : copyOf(taken);
}

/** Whether the void operation is compatible with all holders beside the one that stands. Valid under abstract locks only. */
export function isCovered(standing: Call, operation: Call): boolean {
  const { spec } = operation;
  return spec.covered && standing.spec.mode === spec.mode && standing.spec.code >> 8 === spec.code >> 8;
}

/** Whether both are the same operation with equal arguments, on any record. */
export function isSameCall(first: Call, second: Call): boolean {
  return first.spec.code === second.spec.code && isSameArguments(first.args, second.args);
}

export function isSameArguments(first: Args, second: Args): boolean {
  if (first.length !== second.length) return false;
  for (let i = 0; i < first.length; i++) if (!isSame(first[i], second[i])) return false;
  return true;
}

/** Whether all arguments but these are the same. */
function differsOnly(first: Args, second: Args, from: number, count: number): boolean {
  return first.every((arg, i) => (i >= from && i < from + count) || isSame(arg, second[i]));
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
