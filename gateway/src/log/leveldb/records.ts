// LevelDB's log files (*.log, MANIFEST-*): blocks of 32 KiB that contain records, each in one or more fragments:
//
//   fragment := crc(u32 LE, masked CRC-32C of the rest) length(u16 LE) type(u8: 1 full, 2 first, 3 middle, 4 last) data
//
// LevelDB's reader drops the rest of a block with a wrong checksum and continues. This reader reports the offset, and looks for the next
// valid fragment in the same block too: the records behind damage show whether the damaged one was durable.
import { crc32c } from '../crc32c.ts';

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const UNFINISHED = 'a record without its end';
const [FULL, FIRST, LAST] = [1, 2, 4] as const;

export type RecordOrDamage =
  | { kind: 'record'; at: number; bytes: Uint8Array }
  /** `at`: the offset of the error; `from`: the offset at which the damaged record began */
  | { kind: 'damage'; at: number; from: number; what: string };

export const unmask = (crc: number): number => {
  const rotated = (crc - 0xa282ead8) >>> 0;
  return ((rotated >>> 17) | (rotated << 15)) >>> 0;
};

interface Fragment {
  type: number;
  end: number;
  data: Uint8Array;
}

export function* readRecords(file: Uint8Array): Generator<RecordOrDamage> {
  let fragments: Uint8Array[] = [];
  let from = -1; // offset of the current record; -1: none has begun
  let lost = false; // the beginning of the current record is damaged, so its other fragments are skipped
  for (let at = 0; at < file.length;) {
    const blockEnd = Math.min(file.length, at - (at % BLOCK_BYTES) + BLOCK_BYTES);
    if (blockEnd - at < HEADER_BYTES) {
      if (blockEnd % BLOCK_BYTES === 0) {
        at = blockEnd;
        continue;
      }
      yield { kind: 'damage', at, from: from < 0 ? at : from, what: UNFINISHED };
      return;
    }
    const fragment = fragmentAt(file, at, blockEnd);
    if (typeof fragment === 'string') {
      yield { kind: 'damage', at, from: from < 0 ? at : from, what: fragment };
      [fragments, from, lost] = [[], -1, true];
      at = nextFragment(file, at + 1, blockEnd);
      continue;
    }
    const begins = fragment.type === FULL || fragment.type === FIRST;
    if (begins !== from < 0 && !(lost && !begins)) {
      yield { kind: 'damage', at, from: from < 0 ? at : from, what: begins ? UNFINISHED : 'a record without its beginning' };
      [fragments, from] = [[], -1];
      lost = !begins;
    }
    if (begins) [fragments, from, lost] = [[], at, false];
    if (!lost) fragments.push(fragment.data);
    if (fragment.type === FULL || fragment.type === LAST) {
      if (!lost) yield { kind: 'record', at: from, bytes: fragments.length === 1 ? fragments[0]! : Buffer.concat(fragments) };
      [fragments, from, lost] = [[], -1, false];
    }
    at = fragment.end;
  }
  if (from >= 0) yield { kind: 'damage', at: file.length, from, what: UNFINISHED };
}

function fragmentAt(file: Uint8Array, at: number, blockEnd: number): Fragment | string {
  const length = file[at + 4]! | (file[at + 5]! << 8);
  const type = file[at + 6]!;
  const end = at + HEADER_BYTES + length;
  if (type < FULL || type > LAST) return type === 0 && length === 0 ? 'zeros where a record should be' : 'a record of an unknown kind';
  if (end > blockEnd) return 'a record that is longer than what is there';
  const stored = new DataView(file.buffer, file.byteOffset + at, 4).getUint32(0, true);
  if (unmask(stored) !== crc32c(file.subarray(at + 6, end))) return 'a record with a wrong checksum';
  return { type, end, data: file.subarray(at + HEADER_BYTES, end) };
}

/** The offset of the next valid fragment, or of the end of the block. */
function nextFragment(file: Uint8Array, from: number, blockEnd: number): number {
  for (let at = from; at + HEADER_BYTES <= blockEnd; at++) {
    if (typeof fragmentAt(file, at, blockEnd) !== 'string') return at;
  }
  return blockEnd;
}
