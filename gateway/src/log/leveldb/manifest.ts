// The list of the files of a LevelDB store. CURRENT names a MANIFEST, a log file of edits; each edit is a sequence of tag(varint) and the
// tag's fields. Any error is damage, except for an incomplete edit that a crash left at the end.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LogDamaged } from '../log.ts';
import { Bytes } from './bytes.ts';
import { readRecords } from './records.ts';

export interface TableFile {
  number: number;
  bytes: number;
  /** internal keys: user key, then sequence and kind */
  smallest: Uint8Array;
  largest: Uint8Array;
}

export interface Manifest {
  /** *.log files below this number are obsolete; 0: no edit has set it yet */
  logNumber: number;
  tables: TableFile[];
  /** an edit has set the next file number, without which LevelDB does not open the store */
  named: boolean;
}

const [COMPARATOR, LOG_NUMBER, NEXT_FILE, LAST_SEQUENCE, COMPACT_POINTER, DELETED_FILE, NEW_FILE, PREVIOUS_LOG] = [
  1, 2, 3, 4, 5, 6, 7, 9,
] as const;
const SEE_BACKUP = 'without it the store cannot be read: restore a backup';

/** Undefined if there is no store yet. Throws LogDamaged. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  const current = join(dir, 'CURRENT');
  const name = await readOrNothing(current);
  if (name === undefined) return undefined;
  const [, file] = /^(MANIFEST-\d+)\n$/.exec(Buffer.from(name).toString('latin1')) ?? [];
  if (file === undefined) throw new LogDamaged(current, 0, `it names no manifest; ${SEE_BACKUP}`);
  const path = join(dir, file);
  const bytes = await readOrNothing(path);
  if (bytes === undefined) throw new LogDamaged(current, 0, `it names ${file}, which is not there; ${SEE_BACKUP}`);
  const tables = new Map<number, TableFile>();
  const manifest: Manifest = { named: false, logNumber: 0, tables: [] };
  let unfinished: { at: number; what: string } | undefined;
  for (const record of readRecords(bytes)) {
    if (unfinished !== undefined) throw new LogDamaged(path, unfinished.at, `${unfinished.what}; ${SEE_BACKUP}`);
    if (record.kind === 'damage') {
      unfinished = record;
      continue;
    }
    try {
      applyEdit(new Bytes(record.bytes), manifest, tables);
    } catch (error) {
      if (error instanceof RangeError) throw new LogDamaged(path, record.at, `${error.message}; ${SEE_BACKUP}`);
      throw error;
    }
  }
  // A crash can leave an incomplete last edit, but never a manifest without its first edits.
  if (unfinished !== undefined && (!/end$|longer/.test(unfinished.what) || !manifest.named))
    throw new LogDamaged(path, unfinished.at, `${unfinished.what}; ${SEE_BACKUP}`);
  if (!manifest.named) throw new LogDamaged(path, bytes.length, `it ends too early; ${SEE_BACKUP}`);
  manifest.tables = [...tables.values()];
  return manifest;
}

function applyEdit(edit: Bytes, manifest: Manifest, tables: Map<number, TableFile>): void {
  while (edit.left > 0) {
    const tag = edit.varint();
    if (tag === COMPARATOR) edit.withLength();
    else if (tag === LOG_NUMBER) manifest.logNumber = edit.varint();
    else if (tag === NEXT_FILE) manifest.named = edit.varint() > 0;
    else if (tag === LAST_SEQUENCE || tag === PREVIOUS_LOG) edit.varint();
    else if (tag === COMPACT_POINTER) {
      edit.varint();
      edit.withLength();
    } else if (tag === DELETED_FILE) {
      edit.varint();
      tables.delete(edit.varint());
    } else if (tag === NEW_FILE) {
      edit.varint(); // level
      const [number, bytes] = [edit.varint(), edit.varint()];
      tables.set(number, { number, bytes, smallest: edit.withLength(), largest: edit.withLength() });
    } else throw new RangeError(`an edit with the unknown tag ${tag}`);
  }
}

async function readOrNothing(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
