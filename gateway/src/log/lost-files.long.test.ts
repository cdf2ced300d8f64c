// Files of a store that are missing, empty, truncated, older than the rest, or of another log: a start refuses, or reads exactly what was
// reported as durable. Only the end of the newest *.log file after a crash may be mistaken for a torn write.
import { copyFile, cp, link, mkdtemp, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRecords } from './leveldb/records.ts';
import { LogDamaged } from './log.ts';
import { openLog } from './open-log.ts';
import { append, entries, entry, keep, put, readAll, seal } from './sample.ts';
import type { Kept } from './sample.ts';
import { optionsOf } from './testing.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'claret-files-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const MIB = 1 << 20;
const big = (letter: string): string => letter.repeat(MIB);

const withLog = async <T>(
  dir: string,
  use: (log: Awaited<ReturnType<typeof openLog>>['log'], kept: Kept, cut: string | null) => Promise<T>,
): Promise<T> => {
  const { log, kept, cut } = await openLog(optionsOf(dir));
  try {
    return await use(log, await readAll(kept), cut);
  } finally {
    await log.close();
  }
};
const startOn = (dir: string): Promise<{ kept: Kept; cut: string | null }> =>
  withLog(dir, (_, kept, cut) => Promise.resolve({ kept, cut }));

const storeFiles = async (dir: string): Promise<string[]> =>
  (await readdir(join(dir, 'store'))).filter((name) => /^(?:\d+\.(?:log|ldb)|MANIFEST-\d+|CURRENT)$/.test(name)).toSorted();
const numberOf = (name: string): number => Number(/\d+/.exec(name)![0]);

/**
 * Makes the state after a crash while LevelDB writes a table from the older one of two *.log files. The older one has entries 1 and 2 and
 * pairs of a checkpoint; the newer one has the checkpoint's last pairs, its seal, and entries 3 to 6. `states`: contents after each write
 */
async function crashedInRotation(): Promise<{ dir: string; states: Kept[] }> {
  const [live, dir] = [join(root, 'live'), join(root, 'rotation')];
  await startOn(live);
  const states: Kept[] = [];
  let pairs: Record<string, string> = {};
  const reached = (sealed: number, last: number): void =>
    void states.push({ pairs, entries: Buffer.from(entries(sealed + 1, last)), count: last - sealed });
  await withLog(live, async (log) => {
    const older = (await storeFiles(live)).find((name) => name.endsWith('.log'))!;
    reached(0, 0);
    await append(log, entries(1, 2), 2);
    reached(0, 2);
    await cp(live, dir, { recursive: true });
    await rm(join(dir, 'store', older));
    await link(join(live, 'store', older), join(dir, 'store', older)); // LevelDB unlinks its own name later
    for (let n = 0; n < 9; n++) {
      await keep(log, put(`pair ${n}`, big(String(n))));
      pairs = { ...pairs, [`pair ${n}`]: big(String(n)) };
      reached(0, 2);
    }
    await seal(log, put('the last', '1'), 2);
    pairs = { ...pairs, 'the last': '1' };
    for (let n = 2; n <= 6; n++) {
      if (n > 2) await append(log, entry(n), n);
      reached(2, n);
    }
    const newer = (await storeFiles(live)).filter((name) => name.endsWith('.log')).at(-1)!;
    expect(numberOf(newer)).toBeGreaterThan(numberOf(older));
    await copyFile(join(live, 'store', newer), join(dir, 'store', newer));
  });
  expect((await readdir(join(dir, 'store'))).filter((name) => name.endsWith('.ldb'))).toEqual([]);
  return { dir, states };
}

const isSame = (one: Kept, other: Kept): boolean =>
  one.entries.equals(other.entries) && JSON.stringify(one.pairs) === JSON.stringify(other.pairs);

/** The outcome of a start on a changed copy of the folder. `states`: possible contents; the last one is the complete one */
async function outcomeOf(
  image: string,
  states: readonly Kept[],
  change: (store: string) => Promise<unknown>,
): Promise<'refused' | 'whole' | 'earlier' | 'wrong'> {
  const dir = join(root, 'changed');
  await cp(image, dir, { recursive: true });
  try {
    await change(join(dir, 'store'));
    const { kept } = await startOn(dir);
    if (isSame(kept, states.at(-1)!)) return 'whole';
    return states.some((state) => isSame(kept, state)) ? 'earlier' : 'wrong';
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    expect(error.file).toContain(dir);
    expect(error.message).toMatch(/backup|cut the log/);
    return 'refused';
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Each file missing, empty, cut in the middle, without its last byte, and cut after each of its records. */
async function damages(image: string): Promise<[name: string, what: string, change: (store: string) => Promise<unknown>][]> {
  const all: [string, string, (store: string) => Promise<unknown>][] = [];
  for (const name of await storeFiles(image)) {
    const bytes = await readFile(join(image, 'store', name));
    const cutAt = (length: number) => (store: string) => truncate(join(store, name), length);
    all.push(
      [name, 'gone', (store) => rm(join(store, name))],
      [name, 'empty', cutAt(0)],
      [name, 'halved', cutAt(bytes.length >> 1)],
      [name, 'without its last byte', cutAt(bytes.length - 1)],
    );
    if (!/log$|^MANIFEST/.test(name)) continue;
    const ends = [...readRecords(bytes)].flatMap(({ at }) => (at > 0 ? [at] : []));
    for (const end of ends) all.push([name, `cut behind a record, at ${end}`, cutAt(end)]);
  }
  return all;
}

/** Random single-bit flips in the store's files. */
async function flips(image: string, count: number): Promise<[name: string, what: string, change: (store: string) => Promise<unknown>][]> {
  const files = await Promise.all(
    (await storeFiles(image)).map(async (name) => ({ name, bytes: await readFile(join(image, 'store', name)) })),
  );
  return Array.from({ length: count }, () => {
    const { name, bytes } = files[Math.floor(Math.random() * files.length)]!;
    const [at, bit] = [Math.floor(Math.random() * bytes.length), Math.floor(Math.random() * 8)];
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << bit;
    return [name, `bit ${bit} of byte ${at}`, (store) => writeFile(join(store, name), flipped)];
  });
}

describe('a crash while a table is written from a *.log file', () => {
  test('with any file missing, empty or truncated, a start refuses or finds everything; the newest *.log file may seem torn', async () => {
    const { dir, states } = await crashedInRotation();
    expect(await outcomeOf(dir, states, () => Promise.resolve())).toBe('whole');
    const newest = (await storeFiles(dir)).filter((name) => name.endsWith('.log')).at(-1)!;
    const outcomes: Record<string, number> = {};
    for (const [name, what, change] of [...(await damages(dir)), ...(await flips(dir, 25))]) {
      const outcome = await outcomeOf(dir, states, change);
      expect(['refused', 'whole', ...(name === newest ? ['earlier'] : [])], `${name} ${what}`).toContain(outcome);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(outcomes['refused']).toBeGreaterThan(10);
  });
});

describe('a log that was closed in order', () => {
  const closed = async (): Promise<{ dir: string; whole: Kept; older: string }> => {
    const dir = await mkdtemp(join(root, 'closed-'));
    const older = `${dir}.log`;
    await withLog(dir, async (log) => {
      for (let n = 1; n <= 4; n++) await append(log, entry(n, 300), n);
      await keep(log, put('a', 'first'));
      await copyFile(
        join(
          dir,
          'store',
          (await storeFiles(dir)).find((name) => name.endsWith('.log'))!,
        ),
        older,
      );
    });
    await withLog(dir, async (log) => {
      await keep(log, put('a', 'later'));
      await seal(log, put('b', 'later'), 3);
      for (let n = 5; n <= 8; n++) await append(log, entry(n, 300), n);
    });
    return { dir, older, whole: await withLog(dir, (_, kept) => Promise.resolve(kept)) };
  };

  test('with any file missing, empty or truncated, a start refuses or finds everything', async () => {
    const { dir, whole } = await closed();
    for (const [name, what, change] of await damages(dir)) {
      expect(['refused', 'whole'], `${name} ${what}`).toContain(await outcomeOf(dir, [whole], change));
    }
  });

  test('the same holds after LevelDB has merged tables, even if the manifest ends before its last edits', async () => {
    const dir = await mkdtemp(join(root, 'merged-'));
    await withLog(dir, async (log) => {
      for (let n = 1; n <= 12; n++) await append(log, entry(n, MIB), n);
      await seal(log, put('a', '1'), 12);
      const tables = async (): Promise<number> => (await storeFiles(dir)).filter((name) => name.endsWith('.ldb')).length;
      await expect.poll(tables).toBeGreaterThan(0);
      for (let n = 13; n <= 24; n++) await append(log, entry(n, MIB), n);
      await seal(log, put('a', '2'), 20);
    });
    const whole: Kept = { pairs: { a: '2' }, entries: Buffer.from(entries(21, 24, MIB)), count: 4 };
    // Without the last checkpoint's write, the entries that it covers are still there.
    const unsealed: Kept = { pairs: { a: '1' }, entries: Buffer.from(entries(13, 24, MIB)), count: 12 };
    const manifest = (await storeFiles(dir)).find((name) => name.startsWith('MANIFEST'))!;
    let cuts = 0;
    for (const [name, what, change] of await damages(dir)) {
      expect(['refused', 'whole', 'earlier'], `${name} ${what}`).toContain(await outcomeOf(dir, [unsealed, whole], change));
      if (name === manifest) cuts++;
    }
    expect(cuts).toBeGreaterThan(6); // there are several edits
    for (const [name, what, change] of await flips(dir, 25)) {
      expect(['refused', 'whole'], `${name}, ${what}`).toContain(await outcomeOf(dir, [whole], change));
    }
  });

  test('an older *.log file among the others is not read again', async () => {
    const { dir, whole, older } = await closed();
    expect(await outcomeOf(dir, [whole], (store) => copyFile(older, join(store, '000900.log')))).toBe('refused');
    const newest = (await storeFiles(dir)).filter((name) => name.endsWith('.log')).at(-1)!;
    expect(await outcomeOf(dir, [whole], (store) => copyFile(older, join(store, newest)))).toBe('refused');
  });

  test('an older table of the same size in the place of another is refused', async () => {
    const dir = await mkdtemp(join(root, 'tables-'));
    for (const value of ['1', '2', '3']) await withLog(dir, (log) => keep(log, put('a', value)));
    const { kept: whole } = await startOn(dir);
    expect(whole.pairs).toEqual({ a: '3' });
    const tables = (await storeFiles(dir)).filter((name) => name.endsWith('.ldb')).map((name) => join('store', name));
    const sizes = await Promise.all(tables.map(async (name) => (await stat(join(dir, name))).size));
    expect(new Set(sizes).size).toBe(1);
    const [older, newer] = [tables.at(0)!, tables.at(-1)!];
    expect(older).not.toBe(newer);
    expect(await outcomeOf(dir, [whole], () => copyFile(join(dir, older), join(root, 'changed', newer)))).toBe('refused');
  });

  test('files that are not part of the store do no harm', async () => {
    const { dir, whole, older } = await closed();
    const [table] = (await storeFiles(dir)).filter((name) => name.endsWith('.ldb'));
    for (const name of ['000001.log', '000901.ldb', 'MANIFEST-000902', '000903.dbtmp', 'notes.txt']) {
      const from = name.endsWith('.log') ? older : join(dir, 'store', table!);
      expect(await outcomeOf(dir, [whole], (store) => copyFile(from, join(store, name))), name).toBe('whole');
    }
  });
});
