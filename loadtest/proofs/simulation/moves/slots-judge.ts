// Judges the owners of slots: no slot has two owners at any time, and each has one in the end.
import { SLOT_COUNT } from '@claret/client';
import type { ServedShard } from '../served-shard.ts';

const NOBODY = -1;

/** What is wrong with the shards' slots; undefined: nothing. `isWhole`: each slot has to have an owner. */
export function slotsWronglyOwned(shards: readonly Pick<ServedShard, 'host'>[], isWhole: boolean): string | undefined {
  const owners = new Int16Array(SLOT_COUNT).fill(NOBODY);
  for (const [shard, { host }] of shards.entries()) {
    for (const { first, last } of host?.moving.slots() ?? []) {
      for (let slot = first; slot <= last; slot++) {
        if (owners[slot] !== NOBODY) return `shards ${owners[slot]} and ${shard} both own slot ${slot}`;
        owners[slot] = shard;
      }
    }
  }
  const free = owners.indexOf(NOBODY);
  return isWhole && free >= 0 ? `nobody owns slot ${free}` : undefined;
}
