// The subset of protobuf's encoding that the gateway reads and writes by hand. It is strict where the common libraries are lenient
// (UTF-8, truncation), since an error must name what is wrong.
//
//   message := (tag value)*      tag := varint(number << 3 | wire type)
//   wire types: 0 varint, 1 eight bytes, 2 length and bytes, 5 four bytes
import { GatewayError } from '../errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const malformed = () => new GatewayError('malformed_frame', 'The bytes are not a message of the protocol.');

export type FieldValue = bigint | Uint8Array;

/** The fields of a message in order: varint and fixed-width fields as bigint (their bits), all others as bytes. */
export function* fieldsOf(bytes: Uint8Array): Generator<{ number: number; type: number; value: FieldValue }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (at >= bytes.length) throw malformed();
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw malformed();
  };
  const take = (length: number): number => {
    if (length > bytes.length - at) throw malformed();
    at += length;
    return at - length;
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const type = Number(tag & 7n);
    if (number === 0 || number > 0x1fffffff) throw malformed();
    if (type === 0) yield { number, type, value: varint() };
    else if (type === 1) yield { number, type, value: view.getBigUint64(take(8), true) };
    else if (type === 5) yield { number, type, value: BigInt(view.getUint32(take(4), true)) };
    else if (type === 2) {
      const length = Number(varint());
      const start = take(length);
      yield { number, type, value: bytes.subarray(start, start + length) };
    } else throw malformed();
  }
}

export function bytesOf(value: FieldValue): Uint8Array {
  if (typeof value === 'bigint') throw malformed();
  return value;
}

export function varintOf(value: FieldValue): bigint {
  if (typeof value !== 'bigint') throw malformed();
  return value;
}

/** A fixed64: its bits. */
export const fixedOf = varintOf;

export function textOf(value: FieldValue): string {
  try {
    return utf8.decode(bytesOf(value));
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('invalid_utf8', 'A text is not valid UTF-8.');
  }
}

/** Decodes a sint64 (zigzag): a number if that is exact, else a bigint. */
export function signedOf(value: FieldValue): number | bigint {
  const bits = varintOf(value);
  const signed = (bits >> 1n) ^ -(bits & 1n);
  return BigInt.asIntN(54, signed) === signed && signed !== -(2n ** 53n) ? Number(signed) : signed;
}

export function doubleOf(value: FieldValue): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, varintOf(value));
  return view.getFloat64(0);
}

function encodeVarint(value: number): Buffer {
  const out: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 128)) out.push((value % 128) | 0x80);
  out.push(value);
  return Buffer.from(out);
}

/** A varint field; `value` is a non-negative safe integer. */
export const varintField = (number: number, value: number): Buffer => Buffer.concat([encodeVarint(number << 3), encodeVarint(value)]);

/** A field of text, bytes or a message. */
export function bytesField(number: number, value: string | Uint8Array): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([encodeVarint((number << 3) | 2), encodeVarint(bytes.length), bytes]);
}
