// A move of slots under way, in words.
import type { MovingSlots } from '@claret/client/telemetry';
import { bytesWords, slotWords } from '../../components/figures.ts';

export const movingCount = ({ slots: { first, last } }: MovingSlots): number => last - first + 1;

/** "2,731 slots from shard 0 to 2" */
export const movingWords = (move: MovingSlots): string => `${slotWords(movingCount(move))} from shard ${move.from} to ${move.to}`;

/** What is going on now. */
export function movingStep({ phase, bytes_sent, bytes_left, why }: MovingSlots): string {
  if (why !== undefined) return `stands still: ${firstClause(why)}`;
  if (phase === 'handing_over') return 'given; the new owner takes them';
  if (phase === 'draining') return 'held, until nobody uses them';
  if (bytes_sent + bytes_left === 0) return 'copying';
  return `${bytesWords(bytes_sent)} copied, about ${bytesWords(bytes_left)} left`;
}

/** "Shard 2 at db3:7401 did not answer: No connection …": what follows is for those who ask. */
const firstClause = (why: string): string => why.split(': ')[0]!.replace(/\.$/, '');

/** The part that is copied, 0 to 1: an estimate, since what changes is copied again. */
export function movingShare({ phase, bytes_sent, bytes_left }: MovingSlots): number {
  if (phase === 'handing_over') return 1;
  return bytes_sent + bytes_left === 0 ? 0 : bytes_sent / (bytes_sent + bytes_left);
}
