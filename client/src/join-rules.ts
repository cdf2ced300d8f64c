// Join rules: when does the result of one operation follow from another that stands on the same record? The data types
// say it, in the catalogue (server-core/src/adt/adt.h, JoinRule); this interprets the few words they say it in, as
// server-core/src/adt/join.cc does, and knows no type.

import type { JoinHow, JoinRule, OperationSpec, WireValue } from './values.ts';
import type { Call } from './wire/client-frame.ts';

type Args = readonly unknown[];
type Integer = number | bigint;

/** What one answer holds at most: what is longer comes in pages. */
const ITEMS_MAX = 1000n;

interface Meaning {
  /** as far as the arguments tell */
  follows(holds: Args, asks: Args, at: number): boolean;
  /** REQUIRES: it follows. Undefined where the held result does not reach. */
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
    // An answer that is shorter than a page ends where the items do; a full page says nothing of what comes behind it.
    take(holds, result, asks, at) {
      const [start, stop] = [BigInt(asks[at] as Integer), BigInt(asks[at + 1] as Integer)];
      const items = itemsOf(result);
      const first = start - BigInt(holds[at] as Integer);
      const end = first + (stop - start < ITEMS_MAX ? stop - start + 1n : ITEMS_MAX);
      if (end > items.length && BigInt(items.length) >= ITEMS_MAX) return undefined;
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

/** May it be shared, or join? */
export function isCombinable(spec: OperationSpec): boolean {
  return spec.combinable;
}

/** May the operation's result follow from the one that stands, as far as can be told before that has one? */
export function mayFollow(standing: Call, call: Call): boolean {
  const rule = ruleFor(standing.spec, call.spec);
  if (rule === undefined) return false;
  return isSameCall(standing, call) || meanings[rule.how].follows(standing.args, call.args, rule.parameter);
}

/** The operation's result as the shard would give it (null: void, or absent); undefined where it does not follow. */
export function resultFrom(standing: Call, result: WireValue, call: Call): WireValue | undefined {
  const rule = ruleFor(standing.spec, call.spec);
  if (rule === undefined) return undefined;
  if (isSameCall(standing, call)) return copyOf(result);
  const { follows, take } = meanings[rule.how];
  if (!follows(standing.args, call.args, rule.parameter)) return undefined;
  const taken = take(standing.args, result, call.args, rule.parameter);
  return taken === undefined ? undefined : copyOf(taken);
}

/** Does the void operation hold the gate with whatever holds it beside the one that stands? Under abstract locks only. */
export function isCovered(standing: Call, operation: Call): boolean {
  const { spec } = operation;
  return spec.covered && standing.spec.mode === spec.mode && standing.spec.code >> 8 === spec.code >> 8;
}

/** The same operation with equal arguments, whatever the record. */
export function isSameCall(first: Call, second: Call): boolean {
  return first.spec.code === second.spec.code && first.args.length === second.args.length && differsOnly(first.args, second.args, 0, 0);
}

/** Are all arguments but these the same? */
function differsOnly(first: Args, second: Args, from: number, count: number): boolean {
  return first.every((arg, i) => (i >= from && i < from + count) || isSame(arg, second[i]));
}

// The same on the wire. A safe integer may come as a number or as a bigint.
function isSame(first: unknown, second: unknown): boolean {
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

/** Everybody gets lists of their own: what a body does to its result is nobody else's. */
export function copyOf(value: WireValue): WireValue {
  return Array.isArray(value) ? value.map(copyOf) : value;
}
