// Topology: the shard of each slot, and the gateways of the cluster.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { SLOT_COUNT, dealtRun, slotOf } from './slots.ts';
import type { SlotRun } from './slots.ts';

export interface GatewayAddress {
  /** host:port of its gRPC */
  address: string;
  /** host:port of its REST */
  restAddress: string;
}

/** A shard, with the addresses of the gateway that owns it. */
export interface ShardAddress extends GatewayAddress {
  shard: number;
  /** in order */
  slots: readonly SlotRun[];
}

export interface TopologyDescription {
  /** 1 at first; grows with each move of slots and each take-over of a shard */
  version: number;
  /** none | async | sync */
  durability: string;
  /** Another gateway may take a shard over at any time. */
  replicated: boolean;
  shards: ShardAddress[];
  /** the gateways that own no shard at present */
  standbys: GatewayAddress[];
}

/** Immutable. Every slot has exactly one shard. */
export class Topology {
  readonly version: number;
  readonly durability: string;
  readonly replicated: boolean;
  readonly shards: readonly ShardAddress[];
  readonly standbys: readonly GatewayAddress[];
  readonly #shardOfSlot: Uint16Array;

  /** Throws `shard_unavailable` if a slot has no shard. */
  constructor(description: TopologyDescription) {
    this.version = description.version;
    this.durability = description.durability;
    this.replicated = description.replicated;
    this.shards = [...description.shards].sort((a, b) => a.shard - b.shard);
    this.standbys = description.standbys;
    const unowned = 0xffff;
    this.#shardOfSlot = new Uint16Array(SLOT_COUNT).fill(unowned);
    for (const { shard, slots } of this.shards) for (const { first, last } of slots) this.#shardOfSlot.fill(shard, first, last + 1);
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

  /** The same shards, beside other standbys. */
  withStandbys(standbys: readonly GatewayAddress[]): Topology {
    const { version, durability, replicated, shards } = this;
    return new Topology({ version, durability, replicated, shards: [...shards], standbys: [...standbys] });
  }
}

/** A topology that gives each address an equal run of slots, as a cluster does. */
export function evenTopology(addresses: string[], version = 1): TopologyDescription {
  return {
    version,
    durability: 'none',
    replicated: false,
    standbys: [],
    shards: addresses.map((address, shard) => ({ shard, address, restAddress: '', slots: [dealtRun(shard, addresses.length)] })),
  };
}
