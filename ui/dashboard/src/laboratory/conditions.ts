// The conditions that a cluster can be under, in words for who has never heard of them. The four ways are the paper's
// steps, each one idea more than the one before.
import type { Conditions } from '../../../telemetry/frame.ts';

export interface Way {
  name: string;
  /** in a sentence */
  about: string;
  conditions: Conditions;
}

export const WAYS = [
  {
    name: 'Reader/writer locks',
    about: 'As in most databases: whoever writes a record shuts out all others.',
    conditions: { locks: 'rw', phasing: false, combining: 'off' },
  },
  {
    name: 'Commuting operations',
    about: 'Where order makes no difference, as between two bids, they hold a record together (boosting).',
    conditions: { locks: 'abstract', phasing: false, combining: 'off' },
  },
  {
    name: '+ phasing',
    about: 'Who has to wait queues and enters with all of its kind, instead of being refused and trying again.',
    conditions: { locks: 'abstract', phasing: true, combining: 'off' },
  },
  {
    name: '+ combining',
    about: 'An app server asks once for what many of its transactions want.',
    conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
  },
] as const satisfies readonly Way[];

export function areSame(one: Conditions, other: Conditions): boolean {
  return one.locks === other.locks && one.phasing === other.phasing && one.combining === other.combining;
}

const LOCKS: Record<Conditions['locks'], string> = { none: 'no locks', rw: 'reader/writer locks', abstract: 'commuting operations' };
const COMBINING: Record<Conditions['combining'], string> = { auto: 'combining', on: 'combining always', off: 'no combining' };

/** "commuting operations, phasing, no combining" */
export function conditionWords({ locks, phasing, combining }: Conditions): string {
  if (locks === 'none') return LOCKS.none;
  return [LOCKS[locks], phasing ? 'phasing' : 'no phasing', COMBINING[combining]].join(', ');
}

/** A way's name where the conditions are one of the four, else all of them in words. */
export function shortConditionWords(conditions: Conditions): string {
  return WAYS.find((way) => areSame(way.conditions, conditions))?.name ?? conditionWords(conditions);
}
