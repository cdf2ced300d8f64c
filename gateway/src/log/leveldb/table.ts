// LevelDB's table files (*.ldb): blocks, each followed by kind(u8) and crc(u32 LE, masked CRC-32C of block and kind); at the end, the index
// of the data blocks, the index of the other blocks, and a footer of 48 bytes with the offsets of the two indexes.
//
//   block := (shared(varint) unshared(varint) value_length(varint) key_rest value)* restart(u32 LE)* restarts(u32 LE)
//
// Each key ends with its sequence and kind (eight bytes). A user key may occur several times, the newest version first.
import { readFile } from 'node:fs/promises';
import { crc32c } from '../crc32c.ts';
import { Bytes } from './bytes.ts';
import type { TableFile } from './manifest.ts';
import { unmask } from './records.ts';

const FOOTER_BYTES = 48;
const TRAILER_BYTES = 5;
const MAGIC = 0xdb4775248b80fb57n;
const KEY_SUFFIX_BYTES = 8;

interface Handle {
  offset: number;
  bytes: number;
}

/** A data block and an upper bound of its user keys. */
export interface TableBlock extends Handle {
  last: Uint8Array;
}

/** User keys from `first` to `last` may be wrong or missing; `keys` undefined: any key of the table. */
export interface TableFault {
  offset: number;
  what: string;
  keys: { first: Uint8Array; last: Uint8Array } | undefined;
}

export interface CheckedTable {
  /** the data blocks, in order */
  blocks: TableBlock[];
  faults: TableFault[];
  /** the newest version of the wanted key */
  newest: Version | undefined;
}

export interface Version {
  sequence: bigint;
  /** undefined: removed */
  value: Uint8Array | undefined;
}

export const userKeyOf = (key: Uint8Array): Uint8Array => key.subarray(0, key.length - KEY_SUFFIX_BYTES);

/** Checks all blocks of a table, and that it is the table that the manifest names. */
export async function checkTable(path: string, table: TableFile, wanted: Uint8Array): Promise<CheckedTable> {
  const { bytes } = table;
  const broken = (offset: number, what: string): CheckedTable => ({
    blocks: [],
    faults: [{ offset, what, keys: undefined }],
    newest: undefined,
  });
  const file = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return broken(0, 'a table that is missing');
  if (file.length !== bytes || bytes < FOOTER_BYTES)
    return broken(Math.min(bytes, file.length), `a table of ${file.length} bytes, not ${bytes}`);
  const footerAt = bytes - FOOTER_BYTES;
  if (file.readBigUInt64LE(bytes - 8) !== MAGIC) return broken(bytes - 8, 'a table without its end mark');
  try {
    const footer = new Bytes(file.subarray(footerAt));
    const [others, index] = [readHandle(footer), readHandle(footer)];
    const blocks = entriesOf(blockAt(file, index)).map(([key, value]) => ({ ...readHandle(new Bytes(value)), last: userKeyOf(key) }));
    for (const [, value] of entriesOf(blockAt(file, others))) blockAt(file, readHandle(new Bytes(value)));
    const faults = faultsOf(file, blocks, userKeyOf(table.smallest));
    if (faults.length > 0) return { blocks, faults, newest: undefined };
    if (!holds(file, blocks, table))
      return broken(0, 'a table with other keys than it was made with: another file, or an older one, in its place');
    return { blocks, faults, newest: newestOf(file, blocks, wanted) };
  } catch (error) {
    if (error instanceof BadBlock) return broken(error.offset, error.message);
    if (error instanceof RangeError) return broken(footerAt, 'a table whose index cannot be read');
    throw error;
  }
}

/** True if the first key and the last key are those that the manifest names. */
function holds(file: Buffer, blocks: readonly TableBlock[], { smallest, largest }: TableFile): boolean {
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (first === undefined || last === undefined) return false;
  const [begins] = entriesOf(blockAt(file, first))[0]!;
  const [ends] = entriesOf(blockAt(file, last)).at(-1)!;
  return Buffer.compare(begins, smallest) === 0 && Buffer.compare(ends, largest) === 0;
}

function newestOf(file: Buffer, blocks: readonly TableBlock[], wanted: Uint8Array): Version | undefined {
  const block = blocks.find(({ last }) => Buffer.compare(wanted, last) <= 0); // the first of several has the newest version
  if (block === undefined) return undefined;
  const found = entriesOf(blockAt(file, block)).find(([key]) => Buffer.compare(userKeyOf(key), wanted) === 0);
  if (found === undefined) return undefined;
  const [key, value] = found;
  const suffix = Buffer.from(key.subarray(wanted.length)).readBigUInt64LE(0);
  return { sequence: suffix >> 8n, value: (suffix & 0xffn) === 1n ? value : undefined };
}

function faultsOf(file: Buffer, blocks: readonly TableBlock[], smallest: Uint8Array): TableFault[] {
  let first = smallest;
  const faults: TableFault[] = [];
  for (const block of blocks) {
    try {
      blockAt(file, block);
    } catch (error) {
      if (!(error instanceof BadBlock)) throw error;
      faults.push({ offset: error.offset, what: error.message, keys: { first, last: block.last } });
    }
    first = block.last;
  }
  return faults;
}

class BadBlock extends Error {
  readonly offset: number;
  constructor(offset: number) {
    super('a block with a wrong checksum');
    this.offset = offset;
  }
}

const readHandle = (bytes: Bytes): Handle => ({ offset: bytes.varint(), bytes: bytes.varint() });

function blockAt(file: Buffer, { offset, bytes }: Handle): Uint8Array {
  const end = offset + bytes;
  if (end + TRAILER_BYTES > file.length - FOOTER_BYTES) throw new RangeError('a block beyond the end');
  if (unmask(file.readUInt32LE(end + 1)) !== crc32c(file.subarray(offset, end + 1))) throw new BadBlock(offset);
  return file.subarray(offset, end);
}

function entriesOf(block: Uint8Array): [key: Uint8Array, value: Uint8Array][] {
  const restarts = new DataView(block.buffer, block.byteOffset + block.length - 4).getUint32(0, true);
  const bytes = new Bytes(block.subarray(0, block.length - 4 - 4 * restarts));
  const entries: [Uint8Array, Uint8Array][] = [];
  let key: Uint8Array = new Uint8Array(0);
  while (bytes.left > 0) {
    const [shared, unshared, length] = [bytes.varint(), bytes.varint(), bytes.varint()];
    key = Buffer.concat([key.subarray(0, shared), bytes.take(unshared)]);
    entries.push([key, bytes.take(length)]);
  }
  return entries;
}
