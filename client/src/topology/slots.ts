// Slots: the 16,384 parts of the key space. As in Redis Cluster, a key belongs to the slot CRC16(key) modulo 16,384. If the key
// contains a {tag}, only the tag is hashed, so that records that are used together can share a shard.

export const SLOT_COUNT = 16_384;

/** Adjacent slots of one shard. */
export interface SlotRun {
  /** 0 <= first <= last < SLOT_COUNT */
  first: number;
  last: number;
  /** how often they have moved */
  version: number;
}

/** The run that a shard has at first: slots are dealt in equal runs, as in the core (ground/slots.h). REQUIRES: shard < shards. */
export function dealtRun(shard: number, shards: number): SlotRun {
  const first = Math.ceil((shard * SLOT_COUNT) / shards);
  return { first, last: Math.ceil(((shard + 1) * SLOT_COUNT) / shards) - 1, version: 0 };
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

/** Hashes in one pass ASCII without an opening brace, as most keys and tags are. Returns -1 for any other text. */
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
