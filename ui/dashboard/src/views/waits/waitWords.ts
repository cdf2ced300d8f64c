// Waits in words.
import type { Waiter } from '@claret/client/telemetry';
import { msWords } from '../../components/figures.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';

export type Blocker = Waiter['blockers'][number];

/** The reason of the wait, as judged when it began. */
export function causeWords(cause: string): string {
  if (cause === 'lock_wait') return 'for a holder';
  if (cause === 'phase_wait') return 'for a phase';
  if (cause === 'native_wait') return 'for a holder, as a native';
  if (cause === 'turn') return 'for its turn';
  if (cause === 'warranty_wait') return 'for the end of a warranty';
  if (cause === 'epoch_wait') return 'for members of an epoch';
  return cause.replaceAll('_', ' ');
}

export type Obstacle = NonNullable<Waiter['warranty']>;

/** A client that was heard within this time is about to return its grant; one that was silent for longer keeps the change waiting. */
const SILENT_MS = 250;

/** `auctions-1 (silent for 0.6 s)`, `auctions-2 (gone)`. */
export function holderWords({ session, lost, silentMs }: Obstacle['holders'][number]): string {
  const name = session === '' ? 'a client without a name' : session;
  if (lost) return `${name} (gone)`;
  return silentMs >= SILENT_MS ? `${name} (silent for ${msWords(silentMs)})` : name;
}

/** `behind the warranty of TopK.top: auctions-1 (silent for 0.6 s) and 2 others`. */
export function obstacleWords({ operation, holders, moreHolders }: Obstacle): string {
  if (operation === null) return 'until warranties from before the start of the shard have ended';
  const [first, ...others] = holders;
  const who = first === undefined ? '' : `: ${holderWords(first)}${othersWords(others.length, moreHolders)}`;
  return `behind the warranty of ${operation}${who}`;
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
