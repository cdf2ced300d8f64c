// The shard that has no slots yet, and what it would take of the fullest one.
import type { Slots } from '@claret/client/telemetry';
import type { SlotsWish } from './spikes.ts';

/** `from` is the fullest shard, `to` the empty one, `count` half of what the fullest has. */
export interface EmptyShard extends SlotsWish {
  /** slots are on their way to it */
  isMoving: boolean;
}

/** The last shard, if it has no slots; null: it has some, or is the only one. */
export function emptyShard({ shards, moves }: Pick<Slots, 'shards' | 'moves'>): EmptyShard | null {
  const to = shards.at(-1);
  if (to === undefined || to.slots > 0) return null;
  const giver = shards.reduce((fullest, each) => (each.slots > fullest.slots ? each : fullest));
  if (giver.slots < 2) return null;
  return { from: giver.shard, to: to.shard, count: Math.floor(giver.slots / 2), isMoving: moves.some((move) => move.to === to.shard) };
}
