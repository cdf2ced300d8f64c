// A cursor over LevelDB's encodings: varints and length-prefixed bytes. Throws RangeError when it runs past the end.

export class Bytes {
  at = 0;
  readonly all: Uint8Array;

  constructor(all: Uint8Array) {
    this.all = all;
  }

  get left(): number {
    return this.all.length - this.at;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 63; scale *= 128) {
      const byte = this.take(1)[0]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('an unterminated number');
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw new RangeError('truncated bytes');
    return this.all.subarray(this.at, (this.at += length));
  }

  withLength(): Uint8Array {
    return this.take(this.varint());
  }
}
