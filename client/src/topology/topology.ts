// Topology: the shard of each slot.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { SLOT_COUNT, slotOf } from './slots.ts';

export interface ShardAddress {
  shard: number;
  /** host:port of its gRPC */
  address: string;
  firstSlot: number;
  lastSlot: number;
  /** host:port of its REST */
  restAddress: string;
}

export interface TopologyDescription {
  version: number;
  /** none | async | sync */
  durability: string;
  shards: ShardAddress[];
}

/** Immutable. Every slot has exactly one shard. */
export class Topology {
  readonly version: number;
  readonly durability: string;
  readonly shards: readonly ShardAddress[];
  readonly #shardOfSlot: Uint16Array;

  /** Throws `shard_unavailable` if a slot has no shard. */
  constructor(description: TopologyDescription) {
    this.version = description.version;
    this.durability = description.durability;
    this.shards = [...description.shards].sort((a, b) => a.shard - b.shard);
    const unowned = 0xffff;
    this.#shardOfSlot = new Uint16Array(SLOT_COUNT).fill(unowned);
    for (const { shard, firstSlot, lastSlot } of this.shards) this.#shardOfSlot.fill(shard, firstSlot, lastSlot + 1);
    const gap = this.#shardOfSlot.indexOf(unowned);
    if (gap >= 0) {
      throw new ClaretError({
        code: codes.shardUnavailable,
        message: `The topology names no shard for slot ${gap}`,
        retryable: true,
      });
    }
  }

  shardOf(key: string): number {
    return this.#shardOfSlot[slotOf(key)]!;
  }

  shardOfSlot(slot: number): number {
    return this.#shardOfSlot[slot]!;
  }
}

/** A topology that gives each address an equal run of slots, as a cluster does. */
export function evenTopology(addresses: string[], version = 1): TopologyDescription {
  const count = addresses.length;
  return {
    version,
    durability: 'none',
    shards: addresses.map((address, shard) => ({
      shard,
      address,
      firstSlot: Math.ceil((shard * SLOT_COUNT) / count),
      lastSlot: Math.ceil(((shard + 1) * SLOT_COUNT) / count) - 1,
      restAddress: '',
    })),
  };
}
