// Looks at the files of a store that nobody has open, byte by byte, before LevelDB does: LevelDB passes over what it cannot read in a
// *.log file, goes on behind it, and removes the file.
//
// What is wrong in such a file is either *torn*: the end of a write that a crash interrupted and that was never told to anybody; it is
// cut off. Or *damaged*: it had counted. It had where something behind it says so: each write's marker names the writes that
// were on disk before it. So it had, too, where the log was closed in order. What remains: a damage within the very last write that was
// synced before a crash looks like a torn one; nothing on the disk tells them apart.
//
// Writes are numbered without a gap, from the newest in the tables on: so a file that was emptied, or an older one in its place, is seen.
import { readFile, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../store/safe-file.ts';
import { decodeFrame } from './frame.ts';
import type { Reached } from './identity.ts';
import { readManifest } from './leveldb/manifest.ts';
import type { Manifest, TableFile } from './leveldb/manifest.ts';
import { readRecords } from './leveldb/records.ts';
import { checkTable, userKeyOf } from './leveldb/table.ts';
import type { CheckedTable, TableFault, Version } from './leveldb/table.ts';
import { decodeBatch } from './leveldb/write-batch.ts';
import type { LogEnd } from './log-end.ts';
import { LogDamaged } from './log.ts';
import { FRAMES_FROM, FRAMES_TO, MARKER_KEY, decodeMarker, lastOfFrameKey } from './store.ts';
import type { Marker } from './store.ts';

/** The end of what is whole: the file is cut at `from`, and the files after it go. */
export interface StoreEnd {
  file: string;
  /** where it is wrong */
  at: number;
  from: number;
  what: string;
  filesAfter: string[];
  /** it had counted */
  damaged: boolean;
  /** the last position that is readable behind it; 0: none is */
  lastBehind: number;
}

/** What is wrong in a table, which only ever holds what had counted. */
export class TableDamaged extends LogDamaged {
  /** Nothing but frames is in question. */
  readonly framesOnly: boolean;

  constructor(file: string, faults: readonly TableFault[]) {
    super(file, faults[0]!.offset, faults[0]!.what);
    this.framesOnly = faults.every(
      ({ keys }) => keys !== undefined && Buffer.compare(FRAMES_FROM, keys.first) <= 0 && Buffer.compare(keys.last, FRAMES_TO) <= 0,
    );
  }
}

/** What is known of the end from elsewhere. */
export interface KnownEnd extends Pick<Reached, 'position' | 'closed'> {
  /** number of a write that had been synced; 0: of none */
  write: number;
}

export const allKnown = (reached: Reached, end: LogEnd | undefined): KnownEnd => ({
  closed: reached.closed,
  position: Math.max(reached.position, end?.position ?? 0),
  write: end?.write ?? 0,
});

/** Undefined where all is whole. Throws LogDamaged where it is not in a *.log file that something is wrong. */
export async function checkStore(dir: string, reached: KnownEnd): Promise<StoreEnd | undefined> {
  const { damaged, marker } = await checkTables(dir);
  if (damaged.length > 0) throw damaged[0]!;
  return checkLogs(dir, reached, marker);
}

export interface CheckedTables {
  damaged: TableDamaged[];
  /** the newest: of the write before the first in the *.log files; undefined where a damaged table may have it */
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

/** Cuts off what is torn. */
export async function cutStore(dir: string, { file, from, filesAfter }: StoreEnd): Promise<void> {
  for (const after of filesAfter.toReversed()) await rm(after);
  await truncate(file, from);
  syncFolder(dir);
}

/** Where a key lies, by the index of the table that has it; undefined: in none. */
export async function placeOf(dir: string, key: Uint8Array): Promise<{ file: string; offset: number } | undefined> {
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

/** `before`: the marker of the write before the first; undefined: not known. */
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
    // Under `sync` something is written into another file only when all in this one is on disk.
    if (end !== undefined && bytes.length > 0 && good !== undefined && good.synced === good.write - 1) end.damaged = true;
    const wrong = (at: number, from: number, what: string): void => {
      end ??= { file, at, from, what, filesAfter: files.slice(index + 1), damaged: closed, lastBehind: 0 };
    };
    for (const part of readRecords(bytes)) {
      if (part.kind === 'damage') {
        wrong(part.at, part.from, part.what);
        continue;
      }
      const { marker, last } = contentsOf(part.bytes);
      // A write that is made again after a full disk may have been in a table by then.
      const isNext =
        marker !== undefined && (good === undefined || marker.write === good.write + 1 || (isFirst && marker.write === good.write));
      if (marker === undefined) wrong(part.at, part.at, "a record that is none of the log's");
      else if (end === undefined && !isNext) wrong(part.at, part.at, `write ${marker.write} after write ${good!.write}`);
      if (end === undefined) good = marker;
      else {
        // Without a whole write before it that is known, anything behind a damage shows that it was not the last.
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

/** Nothing is wrong in it but that there is no more. */
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
    const position = lastOfFrameKey(key);
    if (position !== undefined && typeof decodeFrame(value) !== 'string') last = Math.max(last, position);
  }
  return { marker, last };
}
