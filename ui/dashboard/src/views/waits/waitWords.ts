// Waits in words.
import type { Waiter } from '@claret/client/telemetry';
import { labelWords } from '../conflicts/conflictMatrix.ts';

export type Blocker = Waiter['blockers'][number];

/** The reason of the wait, as judged when it began. */
export function causeWords(cause: string): string {
  if (cause === 'lock_wait') return 'for a holder';
  if (cause === 'phase_wait') return 'for a phase';
  if (cause === 'native_wait') return 'for a holder, as a native';
  if (cause === 'turn') return 'for its turn';
  return cause.replaceAll('_', ' ');
}

/** The state of a blocker: `holds, has voted`, `ahead in the queue`, `holds, and waits too`. */
export function blockerWords({ holds, voted, waits }: Blocker): string {
  if (!holds) return 'ahead in the queue';
  return `holds${voted ? ', has voted' : ''}${waits ? ', and waits too' : ''}`;
}

/** `Bid`, or `another Bid` if the waiter has the same label. */
export function blockerName({ label }: Blocker, waiter: Pick<Waiter, 'label'>): string {
  return label === waiter.label ? `another ${labelWords(label)}` : labelWords(label);
}

/** ` and 3 others`, ` and at least 3 others`, `, possibly others`; empty if nothing else is in the way. */
export function othersWords(count: number, isMore: boolean): string {
  if (count === 0) return isMore ? ', possibly others' : '';
  return ` and ${isMore ? 'at least ' : ''}${count} ${count === 1 ? 'other' : 'others'}`;
}
