// SlotOwners: the shard of each slot, from what the shards say. A slot's version grows with each move, so of two claims on a slot the one with
// the greater version is the newer. What a shard no longer claims stays with it until another one does: between the two log entries of a move
// nobody serves the slot, and nobody else has it.
import { SLOT_COUNT } from '@claret/client';
import type { SlotRun } from '@claret/client';

const NOBODY = 0xffff;

export class SlotOwners {
  private readonly shards = new Uint16Array(SLOT_COUNT).fill(NOBODY);
  private readonly versions = new Uint32Array(SLOT_COUNT);
  private sum = 0;

  /** How many moves of single slots are known. */
  get moves(): number {
    return this.sum;
  }

  /** False if this was known, or is out of date. */
  claim(shard: number, runs: readonly SlotRun[]): boolean {
    let isNew = false;
    for (const { first, last, version } of runs) {
      for (let slot = first; slot <= last; slot++) {
        const isFree = this.shards[slot] === NOBODY;
        if (!isFree && this.versions[slot]! >= version) continue;
        this.sum += version - this.versions[slot]!;
        this.shards[slot] = shard;
        this.versions[slot] = version;
        isNew = true;
      }
    }
    return isNew;
  }

  /** Whether each slot from `first` to `last` has that version, or a later one. */
  haveReached(first: number, last: number, version: number): boolean {
    return this.versions.subarray(first, last + 1).every((known) => known >= version);
  }

  /** The runs of a shard, in order; those with different versions are apart. */
  runsOf(shard: number): SlotRun[] {
    const runs: SlotRun[] = [];
    for (let slot = 0; slot < SLOT_COUNT; slot++) {
      if (this.shards[slot] !== shard) continue;
      const version = this.versions[slot]!;
      const before = runs.at(-1);
      if (before?.last === slot - 1 && before.version === version) before.last = slot;
      else runs.push({ first: slot, last: slot, version });
    }
    return runs;
  }
}
