// LockSet: everything that an attempt did at one shard, as a retry requests it at once, before its body runs
// (docs/decisions/0008). So two transactions that have met do not meet a second time halfway.
//
// Operations that observed are repeated, in the order of their keys. For operations that changed something only the lock is
// requested (an *intent*), since the body may take another way. A record that was both observed and changed is requested
// exclusively.

import type { Plan } from '../ways/plan.ts';
import { observes, type Call } from '../values/call.ts';
import { isSameCall } from '../values/same.ts';

/** A retry that would request more calls than this requests them as it goes. */
const CALLS_MAX = 256;
/** A retry names the keys that it wants exclusively in its first request. Only so many fit; the others are locked when their operations come. */
const EXCLUSIVE_UNITS_MAX = 64 * 1024;

export interface LockSet {
  /** keys */
  readonly exclusive: readonly string[];
  readonly observes: readonly Call[];
  readonly intents: readonly Call[];
}

/**
 * @param issued the operations that the attempt issued at the shard
 * @param awaited the body awaited an operation; otherwise all operations leave at once anyway
 */
export function lockSetOf(issued: readonly Call[], awaited: boolean): LockSet {
  const observed = issued.filter(observes);
  const changed = issued.filter((call) => !observes(call));
  const observedKeys = new Set(observed.map(({ key }) => key));
  const exclusive = ofAtMost(EXCLUSIVE_UNITS_MAX, new Set(changed.map(({ key }) => key).filter((key) => observedKeys.has(key))));
  if (!awaited || issued.length > CALLS_MAX) return { exclusive, observes: [], intents: [] };
  const intents = changed.filter(({ spec, key }) => spec.result === 'void' && !observedKeys.has(key));
  return { exclusive, observes: distinct(observed), intents: distinct(intents) };
}

/** An attempt with what it did. */
export interface Acted {
  readonly branches: readonly { readonly shard: number; readonly issued: { calls(): readonly Call[] } }[];
  readonly awaited: boolean;
  readonly uses: { calls(all: boolean): readonly Call[] } | null;
  readonly owner: { readonly plan: Pick<Plan, 'takesWarranties'> };
}

/** What the next attempt requests at once, by shard. */
export function lockSetsOfAttempt(
  { branches, awaited, uses, owner }: Acted,
  shardOf: (key: string) => number,
): ReadonlyMap<number, LockSet> {
  if (uses === null) return new Map(branches.map((branch) => [branch.shard, lockSetOf(branch.issued.calls(), awaited)]));
  const calls = [...branches.flatMap((branch) => branch.issued.calls()), ...uses.calls(!owner.plan.takesWarranties)];
  return lockSetsOf(calls, ({ key }) => shardOf(key));
}

/** The sets of all shards, of an attempt whose body awaits its operations. */
export function lockSetsOf(issued: readonly Call[], shardOf: (call: Call) => number): ReadonlyMap<number, LockSet> {
  const byShard = new Map<number, Call[]>();
  for (const call of issued) {
    const shard = shardOf(call);
    const there = byShard.get(shard);
    if (there === undefined) byShard.set(shard, [call]);
    else there.push(call);
  }
  return new Map([...byShard].map(([shard, there]) => [shard, lockSetOf(there, true)]));
}

/** Whether both are the same operation on the same record with equal arguments. */
export const isSameCallOnRecord = (first: Call, second: Call): boolean => first.key === second.key && isSameCall(first, second);

/** The first of the keys, as long as they have no more units together. */
function ofAtMost(unitsMax: number, keys: Iterable<string>): string[] {
  const first: string[] = [];
  let units = 0;
  for (const key of keys) {
    units += key.length;
    if (units > unitsMax) break;
    first.push(key);
  }
  return first;
}

function distinct(calls: readonly Call[]): Call[] {
  return calls.filter((call, i) => calls.findIndex((other) => isSameCallOnRecord(other, call)) === i);
}
