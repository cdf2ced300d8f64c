// The fields of a protobuf message. Written only for the checks, independently of the readers of core and client.

/** A field of a message: its number, and its value as a number or as bytes. */
export type Field = readonly [number: number, value: bigint, bytes: Uint8Array];
export const NO_BYTES = new Uint8Array(0);

export function* fieldsOf(bytes: Uint8Array): Generator<Field> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    if ((tag & 7) === 0) yield [number, varint(), NO_BYTES];
    else if ((tag & 7) === 1) yield [number, view.getBigUint64((at += 8) - 8, true), NO_BYTES];
    else if ((tag & 7) === 2) {
      const length = Number(varint());
      yield [number, 0n, bytes.subarray(at, (at += length))];
    } else throw new Error(`there is a field of wire type ${tag & 7}`);
  }
}
