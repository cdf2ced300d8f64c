import { mkdtemp, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cutLog } from './cut-log.ts';
import type { LogCut } from './cut-log.ts';
import { readManifest } from './leveldb/manifest.ts';
import type { TableFile } from './leveldb/manifest.ts';
import { readRecords } from './leveldb/records.ts';
import { LogDamaged } from './log.ts';
import { append, entries, entry, put, readAll, seal } from './sample.ts';
import { crashImage, filesOf, flipBytes, logFileOf, openIn, startOn, WHOLE, WITHOUT_LAST, writeSome } from '../testing/damage.ts';

/** Bytes that are flipped; damage.long.test.ts flips all. */
const ONE_IN = 7;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'claret-damage-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const damageOf = async (dir: string): Promise<LogDamaged> => {
  const found = await startOn(dir).catch((error: unknown) => error);
  expect(found).toBeInstanceOf(LogDamaged);
  return found as LogDamaged;
};

describe('after a crash', () => {
  test('a flipped byte is refused with its offset, is harmless, or loses only the last write, which is reported', async () => {
    const log = await writeSome(join(root, 'crashed'));
    const image = await crashImage(join(root, 'crashed'), 'crash-image');
    await log.close();
    expect((await startOn(await crashImage(image, 'crash-whole'))).kept).toEqual(WHOLE);
    const { refused, nothingLost, lastCut } = await flipBytes(image, ONE_IN);
    expect(refused).toBeGreaterThan(800 / ONE_IN);
    expect(lastCut).toBeGreaterThan(50 / ONE_IN); // in the last write
    expect(lastCut).toBeLessThan(400 / ONE_IN);
    expect(nothingLost).toBeLessThan(200 / ONE_IN); // padding
  });

  test('a last file cut at any byte keeps its complete writes, and only the torn one is reported', async () => {
    const log = await writeSome(join(root, 'cut'));
    const image = await crashImage(join(root, 'cut'), 'cut-image');
    await log.close();
    const size = (await readFile(await logFileOf(image))).length;
    const counts = new Set<number>();
    for (let length = 0; length <= size; length += 7) {
      const copy = await crashImage(image, 'shorter');
      await truncate(await logFileOf(copy), length);
      const { kept, cut } = await startOn(copy);
      expect(kept.entries).toEqual(Buffer.from(entries(5, 4 + kept.count)));
      expect(kept.pairs).toEqual(WHOLE.pairs);
      if (cut !== null) expect(cut).toContain(await basename(await logFileOf(image)));
      counts.add(kept.count);
      await rm(copy, { recursive: true });
    }
    expect([...counts].toSorted((a, b) => a - b)).toEqual([4, 5, 6]);
  });

  test('zeros after the last write, which a file system may leave, are cut off', async () => {
    const log = await writeSome(join(root, 'zeros'));
    const image = await crashImage(join(root, 'zeros'), 'zeros-image');
    await log.close();
    const file = await logFileOf(image);
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(5000)]));
    const { kept, cut } = await startOn(image);
    expect(kept).toEqual(WHOLE);
    expect(cut).toMatch(/zeros where a record should be/);
  });

  test('a log continues after the cut', async () => {
    const log = await writeSome(join(root, 'on'));
    const image = await crashImage(join(root, 'on'), 'on-image');
    await log.close();
    const file = await logFileOf(image);
    await truncate(file, (await readFile(file)).length - 3);
    const second = await openIn(image);
    expect(second.kept).toEqual(WITHOUT_LAST);
    await append(second.log, entries(11, 13), 13);
    await second.log.close();
    const third = await startOn(image);
    expect(third.cut).toBeNull();
    expect(third.kept.entries).toEqual(Buffer.from(entries(5, 13)));
  });
});

describe('after a close in order', () => {
  test('a flipped byte is refused with its offset, or is harmless', async () => {
    const dir = join(root, 'closed');
    await (await writeSome(dir)).close();
    const { lastCut, refused } = await flipBytes(dir, ONE_IN);
    expect(lastCut).toBe(0);
    expect(refused).toBeGreaterThan(800 / ONE_IN);
  });

  test('a truncated file is refused, and nothing is changed', async () => {
    const dir = join(root, 'closed-short');
    await (await writeSome(dir)).close();
    const file = await logFileOf(dir);
    const bytes = await readFile(file);
    await truncate(file, bytes.length - 1);
    expect((await damageOf(dir)).file).toBe(file);
    await writeFile(file, bytes);
    expect((await startOn(dir)).kept).toEqual(WHOLE);
  });

  test.each(['log', 'ldb'])('a missing *.%s file is reported by name', async (ending) => {
    const dir = join(root, `closed-without-${ending}`);
    await (await writeSome(dir)).close();
    const gone = (await filesOf(dir)).find((file) => file.endsWith(ending))!;
    await rm(gone);
    const { file, message } = await damageOf(dir);
    expect(file).toBe(gone);
    expect(message).toMatch(/missing/);
  });

  test('a missing store is reported', async () => {
    const dir = join(root, 'closed-without-store');
    await (await writeSome(dir)).close();
    await rm(join(dir, 'store'), { recursive: true });
    expect((await damageOf(dir)).message).toMatch(/had come to entry 12/);
  });
});

describe('cutting a damaged log', () => {
  const cut = (dir: string, { apply, why = null }: { apply: boolean; why?: string | null }): Promise<LogCut | null> =>
    cutLog(dir, { apply, checkStart: (_, kept) => readAll(kept).then(() => why) });

  const flip = async (file: string, at: number): Promise<void> => {
    const bytes = await readFile(file);
    bytes[at]! ^= 0x10;
    await writeFile(file, bytes);
  };

  test('for a flipped byte in the middle, the loss is reported first; with apply the log is cut there and continues', async () => {
    const dir = join(root, 'way-out');
    await (await writeSome(dir)).close();
    const file = await logFileOf(dir);
    const second = [...readRecords(await readFile(file))][1]!.at; // entry 10
    await flip(file, second + 20);
    const refused = await damageOf(dir);
    expect(refused).toMatchObject({ file, offset: second });
    const plan = await cut(dir, { apply: false });
    expect(plan).toEqual({ file, offset: second, what: 'a record with a wrong checksum', last: 9, lost: 12, setAside: null });
    expect((await damageOf(dir)).message).toBe(refused.message);
    const { setAside } = (await cut(dir, { apply: true }))!;
    expect(await readdir(setAside!)).toContain(basename(file));
    const { log, kept, cut: torn } = await openIn(dir);
    expect({ kept, torn }).toEqual({ kept: { pairs: WHOLE.pairs, entries: Buffer.from(entries(5, 9)), count: 5 }, torn: null });
    await append(log, entries(10, 11), 11);
    await log.close();
    expect((await startOn(dir)).kept.count).toBe(7);
    expect(await cut(dir, { apply: true })).toBeNull();
  });

  test('a log can be cut at damage among the entries of a table', async () => {
    const dir = join(root, 'way-out-table');
    const { log } = await openIn(dir);
    await seal(log, put('a', '1'), 0);
    for (let n = 1; n <= 40; n++) await append(log, entry(n, 1000), n);
    await log.close();
    await startOn(dir); // moves the contents of the *.log file into a table
    const table = (await filesOf(dir)).find((name) => name.endsWith('.ldb'))!;
    await flip(table, 21_000);
    const { offset } = await damageOf(dir);
    expect(Math.abs(offset - 21_000)).toBeLessThan(6000);
    const { last, lost } = (await cut(dir, { apply: true }))!;
    expect(last).toBeGreaterThan(10);
    expect(last).toBeLessThan(25);
    expect(lost).toBe(40);
    expect((await startOn(dir)).kept.count).toBe(last);
  });

  test('damage in the checkpoint cannot be cut away', async () => {
    const dir = join(root, 'no-way-out');
    await (await writeSome(dir)).close();
    const table = (await filesOf(dir)).find((name) => name.endsWith('.ldb'))!;
    await flip(table, 10);
    await expect(cut(dir, { apply: true })).rejects.toThrow(/restore a backup/);
    expect((await damageOf(dir)).file).toBe(table);
  });

  test('nothing is cut if no shard could start on the remaining log', async () => {
    const dir = join(root, 'no-use');
    await (await writeSome(dir)).close();
    const file = await logFileOf(dir);
    await flip(file, [...readRecords(await readFile(file))][1]!.at + 20);
    for (const apply of [false, true])
      await expect(cut(dir, { apply, why: 'record a is newer' })).rejects.toThrow(
        /cannot start on what is whole \(record a is newer\).*restore a backup/,
      );
    expect((await damageOf(dir)).file).toBe(file);
    expect(await readdir(dir)).not.toContain('draft');
  });

  test('a cut that was interrupted between its two steps can be repeated', async () => {
    const dir = join(root, 'interrupted');
    await (await writeSome(dir)).close();
    const file = await logFileOf(dir);
    await flip(file, [...readRecords(await readFile(file))][1]!.at + 20);
    await rename(join(dir, 'store'), join(dir, 'store-damaged-1700000000000'));
    expect((await damageOf(dir)).message).toMatch(/interrupted. Cut it again .*store-damaged-1700000000000/);
    expect(await cut(dir, { apply: false })).toMatchObject({ last: 9, lost: 12 });
    expect((await damageOf(dir)).file).toBe(file);
    await cut(dir, { apply: true });
    expect((await startOn(dir)).kept.count).toBe(5);
  });

  test('a table of entries alone may be damaged anywhere', async () => {
    const dir = join(root, 'segments-only');
    const { log } = await openIn(dir);
    for (let n = 1; n <= 1000; n += 300) await append(log, entries(n, n + 299, 1000), n + 299);
    for (let n = 0; n < 40; n++) await append(log, entry(1201 + n, 250_000), 1201 + n); // beyond the write buffer, so a table is written
    const tablesOf = async (): Promise<TableFile[]> => (await readManifest(join(dir, 'store')))!.tables;
    // The table is written in the background; a close would interrupt it.
    await vi.waitFor(async () => expect(await tablesOf()).not.toEqual([]));
    await log.close();
    // A table that a compaction has replaced may still exist, so the manifest is consulted.
    const tables = await tablesOf();
    const [first] = tables.toSorted((a, b) => Buffer.compare(a.smallest, b.smallest));
    const table = join(dir, 'store', `${String(first!.number).padStart(6, '0')}.ldb`);
    await flip(table, 100);
    expect(await cut(dir, { apply: false })).toMatchObject({ file: table, last: 0 });
  });

  test('a folder without a log, and one in use, are refused', async () => {
    await expect(cut(join(root, 'nothing'), { apply: false })).rejects.toThrow(/holds no log/);
    const dir = join(root, 'in-use');
    const { log } = await openIn(dir);
    await expect(cut(dir, { apply: false })).rejects.toThrow(/in use by another process/);
    await log.close();
  });
});
