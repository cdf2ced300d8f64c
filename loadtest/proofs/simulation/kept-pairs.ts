// KeptPairs: the content of checkpoints, which for a log is an ordered map of bytes (docs/wire-format.md, "Checkpoints"). Written
// for the simulation, independently of the log's own code.

const PUT = 0;
const REMOVE = 1;
const HEAD_BYTES = 9;

/** The pairs of a piece: [kind, key, value], and the offset of the next. */
function* pairsOf(bytes: Uint8Array): Generator<[kind: number, key: Buffer, value: Buffer, end: number]> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < all.length;) {
    const keyAt = at + HEAD_BYTES;
    const valueAt = keyAt + all.readUInt32LE(at + 1);
    const end = valueAt + all.readUInt32LE(at + 5);
    if (end > all.length) throw new Error('a piece of a checkpoint ends in the middle of a pair');
    yield [all[at]!, all.subarray(keyAt, valueAt), all.subarray(valueAt, end), end];
    at = end;
  }
}

function put(key: Buffer, value: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head[0] = PUT;
  head.writeUInt32LE(key.length, 1);
  head.writeUInt32LE(value.length, 5);
  return Buffer.concat([head, key, value]);
}

/** The first pairs of a piece; `pick` chooses their number from the total. */
export function cutPairs(bytes: Uint8Array, pick: (all: number) => number): Uint8Array {
  const ends = Array.from(pairsOf(bytes), ([, , , end]) => end);
  const kept = ends.length === 0 ? 0 : pick(ends.length);
  return bytes.subarray(0, kept === 0 ? 0 : ends[kept - 1]!);
}

/** Not from Node's pool, because each small buffer would keep 8 KiB alive. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

export class KeptPairs {
  /** by the key's bytes as characters, which compare as the bytes do */
  readonly #pairs = new Map<string, Buffer>();

  apply(bytes: Uint8Array): void {
    for (const [kind, key, value] of pairsOf(bytes)) {
      if (kind === PUT) this.#pairs.set(key.toString('latin1'), copyOf(value));
      else if (kind === REMOVE) this.#remove(key.toString('latin1'), value.toString('latin1'));
      else throw new Error(`a piece of a checkpoint has a pair of kind ${kind}`);
    }
  }

  #remove(from: string, to: string): void {
    for (const key of this.#pairs.keys()) if (key >= from && key < to) this.#pairs.delete(key);
  }

  /** All pairs in order of keys, in pieces of about this size. */
  pieces(bytesMax: number): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let piece: Buffer[] = [];
    let bytes = 0;
    const end = () => {
      if (piece.length > 0) pieces.push(Buffer.concat(piece));
      [piece, bytes] = [[], 0];
    };
    for (const key of [...this.#pairs.keys()].sort((a, b) => (a < b ? -1 : 1))) {
      const pair = put(Buffer.from(key, 'latin1'), this.#pairs.get(key)!);
      piece.push(pair);
      bytes += pair.length;
      if (bytes >= bytesMax) end();
    }
    end();
    return pieces;
  }
}
