// The core's catalogue of data types, as served by GET /v1/types (server-core/src/adt/registry.h), and what the page derives from
// it. Pure functions; the test runs them on the core's real catalogue.

/** The ruling of a pair. Summed: the two commute, but an operation whose reservation is not certain waits for the others. */
export type Ruling = 'always' | 'never' | 'depends' | 'summed';
export type OperationClass = 'observe' | 'mutate' | 'both' | 'blind';

export interface Operation {
  name: string;
  meaning: string;
  class: OperationClass;
  /** an index into `modes` */
  mode: number;
  /** the kind of the result, "void" if there is none */
  result: string;
  /** each execution returns a different result */
  fresh: boolean;
  parameters: { name: string; kind: string; meaning: string }[];
}

export interface Rule {
  first: string;
  second: string;
  ruling: Ruling;
  /** the condition in words: "different fields" */
  when: string;
}

export interface DataType {
  name: string;
  /** it is not built in: somebody has installed it in this cluster */
  installed?: true;
  meaning: string;
  modes: Mode[];
  operations: Operation[];
  /** one for each pair, in one of the two orders */
  rules: Rule[];
}

export interface Catalogue {
  types: DataType[];
}

/** The locks for which a table is drawn. */
export type Locks = 'abstract' | 'rw';

/** Whether the two operations can hold a record together. */
export function rulingOf(type: DataType, locks: Locks, first: Operation, second: Operation): Ruling {
  if (locks === 'rw') return first.class === 'observe' && second.class === 'observe' ? 'always' : 'never';
  return ruleOf(type, first, second).ruling;
}

export function ruleOf(type: DataType, first: Operation, second: Operation): Rule {
  const found = type.rules.find(
    (rule) => (rule.first === first.name && rule.second === second.name) || (rule.first === second.name && rule.second === first.name),
  );
  if (!found) throw new Error(`The catalogue has no rule for ${type.name}: ${first.name}, ${second.name}.`);
  return found;
}

export interface Mode {
  name: string;
  meaning: string;
}

const RW_MODES: readonly Mode[] = [
  { name: 'read', meaning: 'only reads' },
  { name: 'exclusive', meaning: 'changes something' },
];

/** The modes in which operations queue and are let in. */
export const modesOf = (type: DataType, locks: Locks): readonly Mode[] => (locks === 'rw' ? RW_MODES : type.modes);

/** An index into `modesOf`. */
export function modeOf(locks: Locks, operation: Operation): number {
  if (locks === 'abstract') return operation.mode;
  return operation.class === 'observe' ? 0 : 1;
}

/** Sorted by mode, so that operations of one mode are adjacent. */
export function operationsByMode(type: DataType, locks: Locks): Operation[] {
  return type.operations.toSorted((a, b) => modeOf(locks, a) - modeOf(locks, b));
}

/** The number of pairs by ruling; an operation and itself are a pair too. */
export function countPairs(type: DataType, locks: Locks): Record<Ruling, number> & { all: number } {
  const counts = { always: 0, never: 0, depends: 0, summed: 0, all: 0 };
  type.operations.forEach((first, at) => {
    for (const second of type.operations.slice(at)) {
      counts[rulingOf(type, locks, first, second)] += 1;
      counts.all += 1;
    }
  });
  return counts;
}

/** The share of pairs that can run together, always or under a condition, 0..1. */
function togetherShare(type: DataType): { atAll: number; always: number } {
  const { all, always, depends, summed } = countPairs(type, 'abstract');
  return { atAll: (always + depends + summed) / all, always: always / all };
}

/** Those that share records most come first: what commuting locks are for. */
export function byTogether(types: readonly DataType[]): DataType[] {
  const shares = new Map(types.map((type) => [type, togetherShare(type)]));
  return types.toSorted((one, other) => {
    const [a, b] = [shares.get(one)!, shares.get(other)!];
    return b.atAll - a.atAll || b.always - a.always;
  });
}

/** Pairs with the same condition, numbered from 1 in the order of the table. */
export interface Condition {
  number: number;
  ruling: 'depends' | 'summed';
  words: string;
  pairs: [string, string][];
}

export function conditionsOf(type: DataType): Condition[] {
  const found = new Map<string, Condition>();
  const operations = operationsByMode(type, 'abstract');
  operations.forEach((first, at) => {
    for (const second of operations.slice(at)) {
      const { ruling, when } = ruleOf(type, first, second);
      if (ruling !== 'depends' && ruling !== 'summed') continue;
      const condition = found.get(when) ?? { number: found.size + 1, ruling, words: when, pairs: [] };
      condition.pairs.push([first.name, second.name]);
      found.set(when, condition);
    }
  });
  return [...found.values()];
}
