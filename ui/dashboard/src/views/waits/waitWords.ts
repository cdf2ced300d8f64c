// Waits in words.
import type { Waiter } from '../../../../telemetry/frame.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';

export type Blocker = Waiter['blockers'][number];

/** Why it waits, judged when it began to. */
export function causeWords(cause: string): string {
  if (cause === 'lock_wait') return 'for holders';
  if (cause === 'phase_wait') return 'for its turn';
  return cause.replaceAll('_', ' ');
}

/** What a blocker does here: `holds, has voted`, `waits in front`, `holds, waits itself`. */
export function blockerWords({ transaction, holds, voted, waits }: Blocker): string {
  if (transaction === null) return 'shared by its app server';
  if (!holds) return 'waits in front';
  return `holds${voted ? ', has voted' : ''}${waits ? ', waits itself' : ''}`;
}

/** `Bid`, or `another Bid` where the waiter is one. */
export function blockerName({ label }: Blocker, waiter: Pick<Waiter, 'label'>): string {
  return label === waiter.label ? `another ${labelWords(label)}` : labelWords(label);
}

/** ` and 3 others`, ` and 3 others or more`, ` and perhaps others`; empty where nobody else is in the way. */
export function othersWords(count: number, isMore: boolean): string {
  if (count === 0) return isMore ? ' and perhaps others' : '';
  return ` and ${count} ${count === 1 ? 'other' : 'others'}${isMore ? ' or more' : ''}`;
}
