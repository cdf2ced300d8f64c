// The conditions that a cluster can be under, in words for newcomers. The four ways are the paper's steps, each with one idea
// more than the one before.
import type { Conditions } from '@claret/client/telemetry';

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

export const READER_WRITER: Conditions = WAYS[0].conditions;

/** Conditions that do not say what natives do, such as those of the four ways, are the same as any that differ only in that. */
export function areSame(one: Conditions, other: Conditions): boolean {
  const isNatives = one.natives === undefined || other.natives === undefined || one.natives === other.natives;
  return isNatives && one.locks === other.locks && one.phasing === other.phasing && one.combining === other.combining;
}

const LOCKS: Record<Conditions['locks'], string> = { none: 'no locks', rw: 'reader/writer locks', abstract: 'commuting locks' };
const NATIVES_WAIT = 'natives wait';
const COMBINING: Record<Conditions['combining'], string> = { auto: 'combining', on: 'combining always', off: 'no combining' };

/** "commuting locks, phasing, no combining"; that natives wait is added, since they usually do not. */
export function conditionWords({ locks, phasing, combining, natives }: Conditions): string {
  if (locks === 'none') return LOCKS.none;
  return [LOCKS[locks], phasing ? 'phasing' : 'no phasing', COMBINING[combining], ...(natives === 'wait' ? [NATIVES_WAIT] : [])].join(', ');
}

/** A way's name where the conditions are one of the four, else all of them in words. */
export function shortConditionWords(conditions: Conditions): string {
  const way = WAYS.find((one) => areSame(one.conditions, conditions))?.name;
  if (way === undefined) return conditionWords(conditions);
  return conditions.natives === 'wait' ? `${way}, ${NATIVES_WAIT}` : way;
}
