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

/** What one of the two does not say, such as what natives do in the four ways, makes no difference. */
export function areSame(one: Conditions, other: Conditions): boolean {
  const agree = (name: 'natives' | 'warranties' | 'epochs' | 'epoch_ms') =>
    one[name] === undefined || other[name] === undefined || one[name] === other[name];
  const isWay = one.locks === other.locks && one.phasing === other.phasing && one.combining === other.combining;
  return isWay && agree('natives') && agree('warranties') && agree('epochs') && agree('epoch_ms');
}

const LOCKS: Record<Conditions['locks'], string> = { none: 'no locks', rw: 'reader/writer locks', abstract: 'commuting locks' };
const NATIVES_WAIT = 'natives wait';
const WARRANTIES: Record<NonNullable<Conditions['warranties']>, string | null> = { off: null, auto: 'warranties', on: 'warranties always' };
const EPOCHS: Record<NonNullable<Conditions['epochs']>, string | null> = { off: 'no epochs', auto: null, on: 'epochs always' };
const COMBINING: Record<Conditions['combining'], string> = { auto: 'combining', on: 'combining always', off: 'no combining' };

/** What is added to the words of the locks: that natives wait, that results are promised, and whether and how often there are epochs. */
function additions({ natives, warranties = 'off', epochs = 'auto', epoch_ms = 0 }: Conditions): string[] {
  const often = epochs !== 'off' && epoch_ms > 0 ? `an epoch every ${epoch_ms} ms` : null;
  const added = [natives === 'wait' ? NATIVES_WAIT : null, WARRANTIES[warranties], EPOCHS[epochs], often];
  return added.filter((words) => words !== null);
}

/** "commuting locks, phasing, no combining", and what is added to that. */
export function conditionWords(conditions: Conditions): string {
  const { locks, phasing, combining } = conditions;
  if (locks === 'none') return LOCKS.none;
  return [LOCKS[locks], phasing ? 'phasing' : 'no phasing', COMBINING[combining], ...additions(conditions)].join(', ');
}

/** A way's name where the conditions are one of the four, else all of them in words. */
export function shortConditionWords(conditions: Conditions): string {
  const way = WAYS.find((one) => areSame(one.conditions, conditions))?.name;
  if (way === undefined) return conditionWords(conditions);
  return [way, ...additions(conditions)].join(', ');
}
