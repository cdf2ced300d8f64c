// Checks the files of a closed store byte by byte before LevelDB opens them: LevelDB skips what it cannot read in a *.log file, continues
// behind it, and removes the file.
//
// An error in such a file is either *torn* or *damaged*. Torn: the end of a write that a crash interrupted and that was never acknowledged;
// it is cut off. Damaged: the write was durable. This is known if a later write's marker says that it was on disk, or if the log was closed
// in order. Damage within the very last write that was synced before a crash looks like a torn write; nothing on the disk distinguishes
// the two.
//
// Writes are numbered without gaps, continuing from the newest one in the tables, so an emptied file or an older version of it is detected.
import { readFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../store/safe-file.ts';
import { decodeSegment } from './segment.ts';
import type { Reached } from './identity.ts';
import { readManifest } from './leveldb/manifest.ts';
import type { Manifest, TableFile } from './leveldb/manifest.ts';
import { readRecords } from './leveldb/records.ts';
import { checkTable, userKeyOf } from './leveldb/table.ts';
import type { CheckedTable, TableFault, Version } from './leveldb/table.ts';
import { decodeBatch } from './leveldb/write-batch.ts';
import type { LogEnd } from './log-end.ts';
import { LogDamaged } from './log.ts';
import { SEGMENTS_FROM, SEGMENTS_TO, MARKER_KEY, decodeMarker, lastOfSegmentKey } from './store.ts';
import type { Marker } from './store.ts';

/** The end of the valid data: the file is to be cut at `from`, and the files after it removed. */
export interface StoreEnd {
  file: string;
  /** offset of the error */
  at: number;
  from: number;
  what: string;
  filesAfter: string[];
  /** the write was durable; false: torn */
  damaged: boolean;
  /** the last position that is readable behind the error; 0: none */
  lastBehind: number;
}

/** An error in a table. Tables contain only durable data, so it is never a torn write. */
export class TableDamaged extends LogDamaged {
  /** only segments are affected */
  readonly segmentsOnly: boolean;

  constructor(file: string, faults: readonly TableFault[]) {
    super(file, faults[0]!.offset, faults[0]!.what);
    this.segmentsOnly = faults.every(
      ({ keys }) => keys !== undefined && Buffer.compare(SEGMENTS_FROM, keys.first) <= 0 && Buffer.compare(keys.last, SEGMENTS_TO) <= 0,
    );
  }
}

/** Knowledge about the log's end from other files. */
export interface KnownEnd extends Pick<Reached, 'position' | 'closed'> {
  /** number of a write that was synced; 0: none is known */
  write: number;
}

export const allKnown = (reached: Reached, end: LogEnd | undefined): KnownEnd => ({
  closed: reached.closed,
  position: Math.max(reached.position, end?.position ?? 0),
  write: end?.write ?? 0,
});

/** Undefined if everything is valid. Throws LogDamaged for an error outside the *.log files. */
export async function checkStore(dir: string, reached: KnownEnd): Promise<StoreEnd | undefined> {
  const { damaged, marker } = await checkTables(dir);
  if (damaged.length > 0) throw damaged[0]!;
  return checkLogs(dir, reached, marker);
}

export interface CheckedTables {
  damaged: TableDamaged[];
  /** the newest marker in the tables, of the write before the first one in the *.log files; undefined if a damaged table may contain it */
  marker: Marker | undefined;
}

export async function checkTables(dir: string): Promise<CheckedTables> {
  const damaged: TableDamaged[] = [];
  let newest: Version | undefined;
  for (const table of (await readManifest(dir))?.tables ?? []) {
    const { faults, newest: found } = await check(dir, table);
    if (faults.length > 0) damaged.push(new TableDamaged(pathOf(dir, table), faults));
    if (found !== undefined && (newest === undefined || found.sequence > newest.sequence)) newest = found;
  }
  return { damaged, marker: damaged.length > 0 ? undefined : ((newest?.value && decodeMarker(newest.value)) ?? NO_MARKER) };
}

const NO_MARKER: Marker = { write: 0, synced: 0 };
const check = (dir: string, table: TableFile): Promise<CheckedTable> => checkTable(pathOf(dir, table), table, MARKER_KEY);
const pathOf = (dir: string, { number }: TableFile): string => join(dir, `${pad(number)}.ldb`);

/** Cuts off a torn end. */
export async function cutStore(dir: string, { file, from, filesAfter }: StoreEnd): Promise<void> {
  for (const after of filesAfter.toReversed()) await rm(after);
  await truncate(file, from);
  syncFolder(dir);
}

/** The table and the offset of the block that contains a key; undefined: no table contains it. */
export async function locateKey(dir: string, key: Uint8Array): Promise<{ file: string; offset: number } | undefined> {
  for (const table of (await readManifest(dir))?.tables ?? []) {
    if (Buffer.compare(key, userKeyOf(table.smallest)) < 0 || Buffer.compare(key, userKeyOf(table.largest)) > 0) continue;
    const { blocks, faults } = await check(dir, table);
    const block = blocks.find(({ last }) => Buffer.compare(key, last) <= 0) ?? faults[0];
    if (block !== undefined) return { file: pathOf(dir, table), offset: block.offset };
  }
  return undefined;
}

const pad = (number: number): string => String(number).padStart(6, '0');

async function logFiles(dir: string, { logNumber }: Manifest): Promise<string[]> {
  const numbers = (await readdir(dir)).flatMap((name) => {
    const [, number] = /^(\d+)\.log$/.exec(name) ?? [];
    return number !== undefined && Number(number) >= logNumber ? [Number(number)] : [];
  });
  if (logNumber > 0 && !numbers.includes(logNumber))
    throw new LogDamaged(
      join(dir, `${pad(logNumber)}.log`),
      0,
      'it is missing, and the manifest names it: bring it back, or restore a backup',
    );
  return numbers.toSorted((a, b) => a - b).map((number) => join(dir, `${pad(number)}.log`));
}

/** `before`: the marker of the write before the first one; undefined: not known */
export async function checkLogs(
  dir: string,
  { position, closed, write }: KnownEnd,
  before: Marker | undefined,
): Promise<StoreEnd | undefined> {
  const manifest = await readManifest(dir);
  if (manifest === undefined) {
    if (position > 0 || write > 0)
      throw new LogDamaged(join(dir, 'CURRENT'), 0, `it is missing, and the log had come to entry ${position}; restore a backup`);
    return undefined;
  }
  const files = await logFiles(dir, manifest);
  let good = before;
  let isFirst = true;
  let end: StoreEnd | undefined;
  for (const [index, file] of files.entries()) {
    const bytes = await readFile(file);
    // Under `sync`, the next file is written to only after everything in this one is on disk.
    if (end !== undefined && bytes.length > 0 && good !== undefined && good.synced === good.write - 1) end.damaged = true;
    const wrong = (at: number, from: number, what: string): void => {
      end ??= { file, at, from, what, filesAfter: files.slice(index + 1), damaged: closed, lastBehind: 0 };
    };
    for (const record of readRecords(bytes)) {
      if (record.kind === 'damage') {
        wrong(record.at, record.from, record.what);
        continue;
      }
      const { marker, last } = contentsOf(record.bytes);
      // A write that is repeated after a full disk may already be in a table.
      const isNext =
        marker !== undefined && (good === undefined || marker.write === good.write + 1 || (isFirst && marker.write === good.write));
      if (marker === undefined) wrong(record.at, record.at, "a record that is not one of the log's");
      else if (end === undefined && !isNext) wrong(record.at, record.at, `write ${marker.write} after write ${good!.write}`);
      if (end === undefined) good = marker;
      else {
        // If no valid write before the error is known, any write behind it shows that the damaged write was not the last one.
        if (marker !== undefined && (good === undefined || marker.synced > good.write)) end.damaged = true;
        end.lastBehind = Math.max(end.lastBehind, last);
      }
      isFirst = false;
    }
  }
  const isShort = good !== undefined && good.write < write;
  if (!isShort) return end;
  const had = `the log had come to write ${write}, with entry ${position}`;
  if (end !== undefined) return { ...end, damaged: true, what: `${end.what}, and ${had}` };
  return wholeUpTo(files.at(-1) ?? join(dir, 'CURRENT'), `it ends with write ${good!.write}, and ${had}`);
}

/** The file is valid, but ends too early. */
async function wholeUpTo(file: string, what: string): Promise<StoreEnd> {
  const { size } = await stat(file);
  return { file, at: size, from: size, what, filesAfter: [], damaged: true, lastBehind: 0 };
}

function contentsOf(record: Uint8Array): { marker: Marker | undefined; last: number } {
  let marker: Marker | undefined;
  let last = 0;
  for (const { key, value } of decodeBatch(record) ?? []) {
    if (value === undefined) continue;
    if (Buffer.compare(key, MARKER_KEY) === 0) marker = decodeMarker(value);
    const position = lastOfSegmentKey(key);
    if (position !== undefined && typeof decodeSegment(value) !== 'string') last = Math.max(last, position);
  }
  return { marker, last };
}
