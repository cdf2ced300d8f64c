// Topology: which shard owns a key. As in Redis Cluster, a key belongs to the slot CRC16(key) mod 16,384, and if it
// contains a {tag}, the tag alone is hashed, so that records which are used together can share a shard.

import { ClaretError, codes } from './errors.ts';

export const SLOT_COUNT = 16_384;

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

// CRC-16/XMODEM: polynomial 0x1021, most significant bit first, starting from 0.
const CRC_TABLE = new Uint16Array(256);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  CRC_TABLE[byte] = crc;
}

export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (let i = 0; i < bytes.length; i++) crc = ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ bytes[i]!]!;
  return crc;
}

/** The slot of a key: 0 <= slot < 16,384. */
export function slotOf(key: string): number {
  const crc = plainCrc(key, 0, key.length);
  return (crc >= 0 ? crc : taggedCrc(key)) % SLOT_COUNT;
}

const OPEN = 0x7b;

/** In one pass, for ASCII without an opening brace: all of most keys, or of their tags. -1 for anything else. */
function plainCrc(text: string, start: number, end: number): number {
  let crc = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f || unit === OPEN) return -1;
    crc = ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ unit]!;
  }
  return crc;
}

function taggedCrc(key: string): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const tagged = close > open + 1;
  const start = tagged ? open + 1 : 0;
  const end = tagged ? close : key.length;
  const crc = plainCrc(key, start, end);
  return crc >= 0 ? crc : crc16(Buffer.from(key.slice(start, end), 'utf8'));
}

/** Immutable. Every slot has exactly one shard. */
export class Topology {
  readonly version: number;
  readonly durability: string;
  readonly shards: readonly ShardAddress[];
  readonly #shardOfSlot: Uint16Array;

  /** Throws `shard_unavailable` when a slot has no shard. */
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

/** Slots dealt to `addresses` in equal runs, as a cluster deals them. */
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
