// FrameWriter: writes protobuf by hand, straight into the bytes that are sent.
//
// A frame is a run of a larger slab. The next frame starts at its end, and a full slab is left to the garbage collector. So no
// byte of a frame is written again after the frame was taken, and a transport may keep it. A nested message has one byte for its
// length; a longer message is moved to make room.

import type { NativeBuffer } from './native.ts';

const SLAB_BYTES = 64 * 1024;
/** A frame never starts in less room than this; it gets a new slab instead. */
const FRAME_ROOM_BYTES = 16 * 1024;
/** ASCII texts up to this length are written unit by unit, which is cheaper than a call into native code. */
const SHORT_TEXT_UNITS = 24;

export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;

function newSlab(bytes: number): NativeBuffer {
  return Buffer.allocUnsafeSlow(bytes) as NativeBuffer;
}

export class FrameWriter {
  #slab: NativeBuffer;
  #start = 0;
  #at = 0;

  constructor() {
    this.#slab = newSlab(SLAB_BYTES);
  }

  /** The number of bytes of the frame so far. */
  get size(): number {
    return this.#at - this.#start;
  }

  /** Returns the frame and begins the next one. */
  take(): Uint8Array {
    const frame = this.#slab.subarray(this.#start, this.#at);
    this.#start = this.#at;
    if (this.#slab.length - this.#at < FRAME_ROOM_BYTES) {
      this.#slab = newSlab(SLAB_BYTES);
      this.#start = this.#at = 0;
    }
    return frame;
  }

  /** Writes field number and wire type, in one byte for nearly all fields. */
  tag(field: number, wireType: number): void {
    const tag = (field << 3) | wireType;
    if (tag >= 0x80) return this.varint(tag);
    this.#reserve(1);
    this.#slab[this.#at++] = tag;
  }

  /** Writes an integer 0 <= value <= 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(10);
    const slab = this.#slab;
    let at = this.#at;
    while (value > 0x7fffffff) {
      slab[at++] = (value % 128) | 0x80;
      value = Math.floor(value / 128);
    }
    while (value > 0x7f) {
      slab[at++] = (value & 0x7f) | 0x80;
      value >>>= 7;
    }
    slab[at++] = value;
    this.#at = at;
  }

  /** Writes a 64-bit unsigned integer of two halves. */
  varint64(high: number, low: number): void {
    this.#reserve(10);
    const slab = this.#slab;
    let at = this.#at;
    high >>>= 0;
    low >>>= 0;
    while (high !== 0 || low > 0x7f) {
      slab[at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    slab[at++] = low;
    this.#at = at;
  }

  /** Writes a signed integer as 2n for n >= 0 and as -2n - 1 below. REQUIRES: a number is a safe integer. */
  zigzag(value: number | bigint): void {
    if (typeof value === 'bigint') {
      const z = value >= 0n ? value << 1n : (-value << 1n) - 1n;
      this.varint64(Number(z >> 32n), Number(z & 0xffffffffn));
      return;
    }
    const negative = value < 0 ? 1 : 0;
    const magnitude = negative ? -value - 1 : value;
    if (magnitude < 0x40000000) {
      this.varint(magnitude * 2 + negative);
      return;
    }
    // 2^53 * 2 would not be exact: the lowest seven bits go first.
    this.#reserve(1);
    this.#slab[this.#at++] = ((magnitude % 64) * 2 + negative) | 0x80;
    this.varint(Math.floor(magnitude / 64));
  }

  fixed64(high: number, low: number): void {
    this.#reserve(8);
    this.#slab.writeUInt32LE(low >>> 0, this.#at);
    this.#slab.writeUInt32LE(high >>> 0, this.#at + 4);
    this.#at += 8;
  }

  double(value: number): void {
    this.#reserve(8);
    this.#slab.writeDoubleLE(value, this.#at);
    this.#at += 8;
  }

  /** Writes the length and the bytes from `start` to `end`, one by one, since they are few. */
  bytes(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.varint(end - start);
    this.#reserve(end - start);
    const slab = this.#slab;
    let at = this.#at;
    for (let i = start; i < end; i++) slab[at++] = bytes[i]!;
    this.#at = at;
  }

  /** Writes the length and the UTF-8. REQUIRES: the text is well-formed. */
  text(text: string): void {
    const units = text.length;
    if (units <= SHORT_TEXT_UNITS) {
      this.#reserve(1 + units * 3);
      const slab = this.#slab;
      const at = this.#at + 1;
      let i = 0;
      for (; i < units; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 0x7f) break;
        slab[at + i] = unit;
      }
      // The length takes one byte, since 24 units are at most 72 bytes of UTF-8.
      const written = i === units ? units : slab.utf8Write(text, at);
      slab[at - 1] = written;
      this.#at = at + written;
      return;
    }
    const length = Buffer.byteLength(text, 'utf8');
    this.varint(length);
    this.#reserve(length);
    if (length === units) this.#slab.latin1Write(text, this.#at);
    else this.#slab.utf8Write(text, this.#at);
    this.#at += length;
  }

  /** Opens a nested message after its tag. `end` takes the returned mark. */
  begin(): number {
    this.#reserve(1);
    // The mark is relative to the frame, since a longer slab may replace this one before `end`.
    return ++this.#at - this.#start;
  }

  end(mark: number): void {
    const body = this.#start + mark;
    const length = this.#at - body;
    if (length < 0x80) {
      this.#slab[body - 1] = length;
      return;
    }
    let extra = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) extra++;
    this.#reserve(extra);
    this.#slab.copyWithin(body + extra, body, this.#at);
    const end = this.#at + extra;
    this.#at = body - 1;
    this.varint(length);
    this.#at = end;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#slab.length) return;
    const used = this.#at - this.#start;
    const longer = newSlab(Math.max(SLAB_BYTES, 2 * (used + bytes)));
    this.#slab.copy(longer, 0, this.#start, this.#at);
    this.#slab = longer;
    this.#start = 0;
    this.#at = used;
  }
}
