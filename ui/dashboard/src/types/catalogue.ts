// What the core says of its data types, as GET /v1/types hands it on (server-core/src/adt/registry.h), and what follows
// from it for the page: pure, and held against the core's real catalogue in the test.

/** What the rule of a pair comes to. Summed: always, but one whose reservation is not sure waits for the others. */
export type Ruling = 'always' | 'never' | 'depends' | 'summed';
export type OperationClass = 'observe' | 'mutate' | 'both' | 'blind';
export type JoinHow = 'equal' | 'prefix' | 'first' | 'fields' | 'sub_range' | 'sub_range_by_score';

export interface Operation {
  name: string;
  meaning: string;
  class: OperationClass;
  /** a number in `modes` */
  mode: number;
  /** the kind of its result, "void" where there is none */
  result: string;
  /** one that is held covers every other of its mode */
  covered: boolean;
  /** its result is another one each time */
  fresh: boolean;
  parameters: { name: string; kind: string; meaning: string }[];
}

export interface Rule {
  first: string;
  second: string;
  ruling: Ruling;
  /** the same in words: "different fields" */
  when: string;
}

export interface DataType {
  name: string;
  meaning: string;
  modes: Mode[];
  operations: Operation[];
  /** one for each pair, in one order of the two */
  rules: Rule[];
  joins: { holder: string; joiner: string; how: JoinHow }[];
}

export interface Catalogue {
  types: DataType[];
}

/** Which locks a table is drawn for; the third, none, keeps nobody apart. */
export type Locks = 'abstract' | 'rw';

/** May these two hold a record together? */
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

/** In which operations queue, and are let in. */
export const modesOf = (type: DataType, locks: Locks): readonly Mode[] => (locks === 'rw' ? RW_MODES : type.modes);

/** A number in `modesOf`. */
export function modeOf(locks: Locks, operation: Operation): number {
  if (locks === 'abstract') return operation.mode;
  return operation.class === 'observe' ? 0 : 1;
}

/** What queues together stands together. */
export function operationsByMode(type: DataType, locks: Locks): Operation[] {
  return type.operations.toSorted((a, b) => modeOf(locks, a) - modeOf(locks, b));
}

/** How many pairs come to which ruling; an operation and itself are a pair. */
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

/** Pairs with the same condition, numbered from 1 in the order in which the table shows them. */
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
