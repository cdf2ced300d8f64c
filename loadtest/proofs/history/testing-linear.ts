// Small random histories of one record, and the search for their order among all permutations, to test the linearizability check.

import { NATIVE_LABEL, type HistoryAttempt, type HistoryValue } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { accessesOf, acknowledgedNs } from './committed.ts';
import type { Model } from './model.ts';
import { modelOf } from './models/index.ts';
import { apply, execute, wereSeen } from './replay.ts';
import { attempt } from './testing-attempts.ts';

const ATTEMPTS_MAX = 6;
const PROCESSES = 3;
const DURATION_NS = 100;
const UNKNOWN_SHARE = 0.3;

/** Operations with the values that a wrong result is drawn from. */
const OPERATIONS: readonly (readonly [type: string, draw: (chance: Chance) => [name: string, args: HistoryValue[]]])[] = [
  ['Register', (chance) => (chance.happens(0.5) ? ['get', []] : ['set', [chance.below(3)]])],
  ['Counter', (chance) => (chance.happens(0.5) ? ['value', []] : ['add', [1 + chance.below(2)]])],
  [
    'Set',
    (chance) =>
      chance.pick([
        ['add', ['x']],
        ['remove', ['x']],
        ['contains', ['x']],
        ['size', []],
      ]),
  ],
  [
    'BoundedCounter',
    (chance) =>
      chance.pick([
        ['increment', [1]],
        ['tryDecrement', [1]],
        ['value', []],
      ]),
  ],
];

/** Attempts that took effect one after another, each at a point between its call and its return: there is an order. */
export function smallHistory(chance: Chance): HistoryAttempt[] {
  const [type, draw] = chance.pick(OPERATIONS);
  const model = modelOf(type);
  const lastNs = Array.from({ length: PROCESSES }, () => -1);
  return Array.from({ length: 2 + chance.below(ATTEMPTS_MAX - 1) }, (_, i): HistoryAttempt => {
    const point = 50 * (i + 1);
    const process = chance.below(PROCESSES);
    const isNative = chance.happens(0.5);
    const ops = Array.from({ length: isNative ? 1 : 1 + chance.below(2) }, () => draw(chance)).map(([op, args]) => ({
      key: 'r',
      type,
      op,
      args,
    }));
    // Natives of a process are issued in the order in which they take effect.
    const call = Math.max(isNative ? lastNs[process]! + 1 : 0, Math.floor(point - chance.below(DURATION_NS)));
    if (isNative) lastNs[process] = call;
    const one = attempt({
      process: `app-${process}`,
      ...(isNative && { label: NATIVE_LABEL }),
      call,
      return: Math.max(call, point) + chance.below(DURATION_NS),
      outcome: chance.happens(UNKNOWN_SHARE) ? 'unknown' : 'ok',
      ops,
    });
    const [access] = accessesOf(one);
    const results = execute(model, access!);
    if (results === null || (one.outcome === 'unknown' && chance.happens(0.5))) return { ...one, outcome: 'unknown' };
    apply(model, access!, results);
    const isTold = one.outcome === 'ok';
    return { ...one, ops: ops.map((op, n) => (isTold && results[n] !== undefined ? { ...op, result: results[n] as HistoryValue } : op)) };
  });
}

/** A copy with a result of another operation of that name, another value, or another time. */
export function corrupted(history: readonly HistoryAttempt[], chance: Chance): HistoryAttempt[] {
  const copy = structuredClone(history) as HistoryAttempt[];
  const seen = copy.flatMap(({ ops }) => ops).filter(({ result }) => result !== undefined);
  if (seen.length > 0 && chance.happens(0.7)) {
    const { result, ...rest } = chance.pick(seen);
    seen.find((op) => op.result === result && op.op === rest.op)!.result =
      typeof result === 'boolean' ? !result : result === null ? 1 : Number(result) + (chance.happens(0.5) ? 1 : -1);
    return copy;
  }
  const moved = chance.pick(copy);
  const byNs = chance.below(4 * DURATION_NS) - 2 * DURATION_NS;
  moved.call = Math.max(0, moved.call + byNs);
  moved.return = Math.max(moved.call, moved.return + byNs);
  return copy;
}

/** Whether any order of the attempts explains them; tries all. REQUIRES: one record. */
export function bruteForce(history: readonly HistoryAttempt[]): boolean {
  const type = history[0]!.ops[0]!.type;
  return someOrder(history, modelOf(type));
}

function someOrder(left: readonly HistoryAttempt[], state: Model): boolean {
  if (left.every(({ outcome }) => outcome === 'unknown')) return true;
  return left.some((one) => {
    const others = left.filter((other) => other !== one);
    if (others.some((other) => mustPrecede(other, one))) return false;
    const [access] = accessesOf(one);
    const results = execute(state, access!);
    if (!wereSeen(access!, results)) return false;
    const after = state.clone();
    apply(after, access!, results);
    return someOrder(others, after);
  });
}

function mustPrecede(one: HistoryAttempt, other: HistoryAttempt): boolean {
  if (acknowledgedNs(one) < other.call) return true;
  const areNatives = [one, other].every(({ label, outcome }) => label === NATIVE_LABEL && outcome === 'ok');
  return areNatives && one.process === other.process && one.call < other.call;
}
