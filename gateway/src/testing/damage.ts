// A log that is damaged on purpose: what was written, images of it, and starts on each of them.
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { checkStore } from '../log/check-store.ts';
import { readReached } from '../log/identity.ts';
import { readRecords } from '../log/leveldb/records.ts';
import { LogDamaged } from '../log/log.ts';
import type { Log } from '../log/log.ts';
import { openLog } from '../log/open-log.ts';
import { append, entries, keep, put, readAll, seal } from '../log/sample.ts';
import type { Kept } from '../log/sample.ts';
import { optionsOf } from '../log/testing.ts';

/** Copies the folder, to one of this name beside it, as a crash would leave it: everything is synced, nothing is closed. */
export const crashImage = async (dir: string, name: string): Promise<string> => {
  const image = join(dirname(dir), name);
  await cp(dir, image, { recursive: true });
  return image;
};

export const openIn = async (dir: string): Promise<{ log: Log; kept: Kept; cut: string | null }> => {
  const { log, kept, cut } = await openLog(optionsOf(dir));
  try {
    return { log, kept: await readAll(kept), cut };
  } catch (error) {
    await log.close();
    throw error;
  }
};

export const startOn = async (dir: string): Promise<{ kept: Kept; cut: string | null }> => {
  const { log, kept, cut } = await openIn(dir);
  await log.close();
  return { kept, cut };
};

/** Writes a checkpoint and entries into a table and more entries into the *.log file: 1 to 12, of which the checkpoint covers 4. */
export async function writeSome(dir: string): Promise<Log> {
  const first = await openIn(dir);
  await append(first.log, entries(1, 3), 3);
  await keep(first.log, Buffer.concat([put('a', '1'), put('b', '1')]));
  await append(first.log, entries(4, 6), 6);
  await seal(first.log, put('c', '1'), 4);
  await append(first.log, entries(7, 8), 8);
  await first.log.close();
  const { log } = await openIn(dir);
  await append(log, entries(9, 9), 9);
  await append(log, entries(10, 10), 10);
  await keep(log, put('a', '1'));
  await append(log, entries(11, 12), 12);
  return log;
}

export const WHOLE: Kept = { pairs: { a: '1', b: '1', c: '1' }, entries: Buffer.from(entries(5, 12)), count: 8 };
export const WITHOUT_LAST: Kept = { ...WHOLE, entries: Buffer.from(entries(5, 10)), count: 6 };

export const filesOf = async (dir: string): Promise<string[]> =>
  (await readdir(join(dir, 'store')))
    .filter((name) => /^(?:\d+\.(?:log|ldb)|MANIFEST-\d+|CURRENT)$/.test(name))
    .map((name) => join(dir, 'store', name));
export const logFileOf = async (dir: string): Promise<string> => (await filesOf(dir)).find((file) => file.endsWith('.log'))!;

/** Starts on the folder with one byte of the store's files flipped, for one in `every`; returns how often each outcome occurred. */
export async function flipBytes(image: string, every: number): Promise<{ refused: number; nothingLost: number; lastCut: number }> {
  const tally = { refused: 0, nothingLost: 0, lastCut: 0 };
  const records = [...readRecords(await readFile(await logFileOf(image)))];
  const lastWriteAt = records.at(-1)!.at;
  for (const file of await filesOf(image)) {
    const bytes = await readFile(file);
    for (let at = 0; at < bytes.length; at += every) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      await writeFile(file, flipped);
      const where = `${basename(file)}, byte ${at}`;
      const end = await checkStore(join(image, 'store'), { ...readReached(image), write: 0 }).catch((error: unknown) => error);
      if (end instanceof LogDamaged || (end as { damaged?: boolean } | undefined)?.damaged === true) {
        const found = end as LogDamaged & { at?: number };
        expect(found.offset ?? found.at, where).toBeLessThanOrEqual(at + 1);
        tally.refused++;
        continue;
      }
      expect(end, where).not.toBeInstanceOf(Error);
      if (end !== undefined) {
        expect(end, where).toMatchObject({ file, from: lastWriteAt });
        tally.lastCut++;
        if (Math.floor(at / every) % 16 > 0) continue; // starts are slow
      }
      const copy = await crashImage(image, 'flipped');
      const { kept, cut } = await startOn(copy);
      if (cut === null) expect(kept, where).toEqual(WHOLE);
      else expect(kept, where).toEqual(WITHOUT_LAST);
      if (cut === null) tally.nothingLost++;
      await rm(copy, { recursive: true });
    }
    await writeFile(file, bytes);
  }
  return tally;
}
