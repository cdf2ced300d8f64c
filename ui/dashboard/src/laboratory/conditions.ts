// The conditions that a cluster can be under, in words for newcomers. The four ways are the paper's steps, each with one idea
// more than the one before.
import { CONDITIONS, completed, wordOf, type Condition, type Conditions } from '@claret/client/telemetry';

export interface Way {
  name: string;
  /** in a sentence */
  about: string;
  conditions: Conditions;
}

export const WAYS = [
  {
    name: 'Reader/writer locks',
    about: 'As in most databases: a transaction that writes a record shuts out all others.',
    conditions: { locks: 'rw', phasing: false, combining: 'off' },
  },
  {
    name: 'Commuting locks',
    about: 'Operations whose order makes no difference, such as two bids, share a record.',
    conditions: { locks: 'abstract', phasing: false, combining: 'off' },
  },
  {
    name: '+ Phasing',
    about: 'Operations that have to wait queue by kind, and a whole kind is let in at once.',
    conditions: { locks: 'abstract', phasing: true, combining: 'off' },
  },
  {
    name: '+ Combining',
    about: 'Transactions on hot records are forecast and sent whole, so that nobody holds a record while messages travel.',
    conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
  },
] as const satisfies readonly Way[];

/** What one of the two does not say, such as whether results are promised in the four ways, makes no difference. */
export const areSame = (one: Conditions, other: Conditions): boolean =>
  CONDITIONS.every(({ name }) => one[name] === undefined || other[name] === undefined || one[name] === other[name]);

const wordsFor = (condition: Condition, value: string | boolean): string =>
  condition.values.find((each) => each.value === value)?.short ?? wordOf(value);

/** Those that are named only where they are not the usual ones. */
function additions(told: Conditions): string[] {
  const conditions = completed(told);
  return CONDITIONS.filter(({ name, always, usual }) => !always && conditions[name] !== usual).map((each) =>
    wordsFor(each, conditions[each.name]),
  );
}

/** "commuting locks, phasing, no combining", and what is added to that. */
export function conditionWords(conditions: Conditions): string {
  const always = CONDITIONS.filter((each) => each.always).map((each) => wordsFor(each, conditions[each.name]!));
  return [...always, ...additions(conditions)].join(', ');
}

/** A way's name where the conditions are one of the four, else all of them in words. */
export function shortConditionWords(conditions: Conditions): string {
  const way = WAYS.find((one) => areSame(one.conditions, conditions))?.name;
  if (way === undefined) return conditionWords(conditions);
  return [way, ...additions(conditions)].join(', ');
}
