// Reader: a cursor over one frame that reads protobuf by hand. It checks every read against the end of the current message, so
// truncated or random bytes give `malformed_frame` and nothing else.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { NativeBuffer } from './native.ts';

const NESTING_MAX = 16;

export function malformed(message: string): ClaretError {
  return new ClaretError({ code: codes.malformedFrame, message: `Not a frame: ${message}` });
}

export class Reader {
  #bytes = Buffer.alloc(0) as NativeBuffer;
  #at = 0;
  #end = 0;
  #depth = 0;
  /** the halves of the last result of `varint64` or `fixed64` */
  high = 0;
  low = 0;
  /** the wire type of the last tag */
  #wireType = 0;

  reset(bytes: Uint8Array): void {
    const whole = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bytes = whole as NativeBuffer;
    this.#at = 0;
    this.#end = bytes.length;
    this.#depth = 0;
  }

  /** The next field's number; 0 at the end of the message. */
  tag(): number {
    if (this.#at >= this.#end) return 0;
    const tag = this.varint();
    if (tag > 0xffffffff || tag < 8) throw malformed(`field number ${Math.floor(tag / 8)}`);
    this.#wireType = tag & 7;
    return tag >>> 3;
  }

  /** Throws `malformed_frame` if the field that `tag` announced is of another wire type. */
  expect(wireType: number): void {
    if (this.#wireType !== wireType) throw malformed(`wire type ${this.#wireType} where ${wireType} belongs`);
  }

  /** The message that is open has no more bytes. */
  get atEnd(): boolean {
    return this.#at >= this.#end;
  }

  get wireType(): number {
    return this.#wireType;
  }

  /** An unsigned integer below 2^53. */
  varint(): number {
    const first = this.#at < this.#end ? this.#bytes[this.#at]! : 0x80;
    if (first < 0x80) {
      this.#at++;
      return first;
    }
    this.varint64();
    const value = this.high * 0x1_0000_0000 + this.low;
    if (value > Number.MAX_SAFE_INTEGER) throw malformed('an integer beyond 2^53');
    return value;
  }

  /** Into `high` and `low`. */
  varint64(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw malformed('it ends within an integer');
      const byte = this.#bytes[this.#at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    throw malformed('an integer of more than ten bytes');
  }

  /** A signed integer: a number if that is safe, else a bigint. */
  zigzag(): number | bigint {
    this.varint64();
    const negative = (this.low & 1) === 1;
    const low = ((this.low >>> 1) | (this.high << 31)) >>> 0;
    const high = this.high >>> 1;
    if (high < 0x20_0000) {
      const magnitude = high * 0x1_0000_0000 + low;
      if (!negative) return magnitude;
      if (magnitude < Number.MAX_SAFE_INTEGER) return -magnitude - 1;
    }
    const magnitude = (BigInt(high) << 32n) | BigInt(low);
    return negative ? -magnitude - 1n : magnitude;
  }

  /** Into `high` and `low`. */
  fixed64(): void {
    const at = this.#take(8);
    this.low = this.#bytes.readUInt32LE(at);
    this.high = this.#bytes.readUInt32LE(at + 4);
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  text(): string {
    const length = this.varint();
    const at = this.#take(length);
    const bytes = this.#bytes;
    if (length <= 16) {
      let text = '';
      for (let i = at; i < at + length; i++) {
        const byte = bytes[i]!;
        if (byte > 0x7f) return bytes.utf8Slice(at, at + length);
        text += String.fromCharCode(byte);
      }
      return text;
    }
    return bytes.utf8Slice(at, at + length);
  }

  /** Returns a copy. */
  bytes(): Uint8Array {
    const length = this.varint();
    const at = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(at, at + length));
  }

  /** Enters a nested message. `leave` takes the result. */
  enter(): number {
    this.expect(2);
    const length = this.varint();
    if (length > this.#end - this.#at) throw malformed('it ends within a message');
    if (++this.#depth > NESTING_MAX) throw malformed('messages nested too deep');
    const outer = this.#end;
    this.#end = this.#at + length;
    return outer;
  }

  leave(outer: number): void {
    this.#at = this.#end;
    this.#end = outer;
    this.#depth--;
  }

  /** Skips a field that this version does not know. */
  skip(): void {
    switch (this.#wireType) {
      case 0:
        return this.varint64();
      case 1:
        return void this.#take(8);
      case 2:
        return void this.#take(this.varint());
      case 5:
        return void this.#take(4);
      default:
        throw malformed(`wire type ${this.#wireType}`);
    }
  }

  #take(length: number): number {
    const at = this.#at;
    if (length > this.#end - at) throw malformed('it ends within a field');
    this.#at = at + length;
    return at;
  }
}
