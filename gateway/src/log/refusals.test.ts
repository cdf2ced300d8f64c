import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogDamaged, LogRefused } from './log.ts';
import type { LogOptions } from './log.ts';
import { openLog } from './open-log.ts';
import { append, entries, entry, put, readAll, seal } from './sample.ts';
import { segmentKey, openStore, storeDir } from './store.ts';
import { optionsOf } from './testing.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'claret-log-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Opens the log, reads it, calls `use`, and closes it. */
async function withLog<T>(
  change: Partial<LogOptions>,
  use: (opened: Awaited<ReturnType<typeof openLog>>['log'], count: number) => Promise<T>,
): Promise<T> {
  const { log, kept } = await openLog({ ...optionsOf(dir), ...change });
  try {
    return await use(log, (await readAll(kept)).count);
  } finally {
    await log.close();
  }
}
const start = (change: Partial<LogOptions> = {}): Promise<number> => withLog(change, (_, count) => Promise.resolve(count));
const write = (): Promise<void> =>
  withLog({}, async (log) => {
    for (let n = 1; n <= 6; n++) await append(log, entry(n), n);
  });

describe('a start on an unusable folder is refused, with the reason and advice:', () => {
  test.each([
    ["another cluster's", { clusterName: 'other' }, /belongs to the cluster 'test'.*own data directory/],
    ["another shard's", { shard: 1 }, /holds shard 0 of 2.*is shard 1 of 2.*own data directory/],
    ['of another number of shards', { shards: 3 }, /holds shard 0 of 2.*shard 0 of 3, with other slots/],
  ] as const)('%s', async (_, change, message) => {
    await write();
    const refused = start(change);
    await expect(refused).rejects.toThrow(LogRefused);
    await expect(refused).rejects.toThrow(message);
    expect(await start()).toBe(6); // and is unchanged
  });

  test('a folder of a newer version', async () => {
    await write();
    const file = join(dir, 'identity.json');
    await writeFile(file, (await readFile(file, 'utf8')).replace('"format":1', '"format":2'));
    await expect(start()).rejects.toThrow(/newer version of Claret \(format 2; this one knows 1\)/);
  });

  test('a folder in use', async () => {
    await withLog({}, async () => {
      await expect(start()).rejects.toThrow(LogRefused);
      await expect(start()).rejects.toThrow(/in use by another process: stop it first/);
    });
    expect(await start()).toBe(0);
  });

  test('a folder that cannot be written', async () => {
    await writeFile(join(dir, 'file'), '');
    const refused = start({ dir: join(dir, 'file', 'log') });
    await expect(refused).rejects.toThrow(LogRefused);
    await expect(refused).rejects.toThrow(/cannot be written.*data directory that it may write to/);
  });

  test('but not a folder whose first start was interrupted by a loss of power', async () => {
    const halfMade = async (): Promise<void> => {
      await rm(storeDir(dir), { recursive: true, force: true });
      await mkdir(storeDir(dir));
      await writeFile(join(storeDir(dir), 'CURRENT'), 'MANIFEST-000001\n');
      for (const name of ['MANIFEST-000001', '000003.log']) await writeFile(join(storeDir(dir), name), '');
    };
    await start();
    await halfMade();
    await expect(start()).rejects.toThrow(LogDamaged); // the first start had completed
    await rm(join(dir, 'reached.json'));
    expect(await start()).toBe(0);
    await write();
    await rm(join(dir, 'reached.json'));
    expect(await start()).toBe(6);
  });

  test('a folder with a log but without its identity', async () => {
    await write();
    await rm(join(dir, 'identity.json'));
    await expect(start()).rejects.toThrow(LogDamaged);
  });

  test('an incomplete lock after a crash does no harm, and its LOCK file stays', async () => {
    await write();
    const lock = join(dir, 'lock', 'LOCK');
    const { ino } = await stat(lock);
    await writeFile(join(dir, 'lock', 'CURRENT'), 'nonsense\n');
    expect(await start()).toBe(6);
    expect((await stat(lock)).ino).toBe(ino); // another process may hold it open
  });
});

describe('segments that are valid for LevelDB are checked against each other:', () => {
  const change = async (edit: (store: Awaited<ReturnType<typeof openStore>>) => Promise<void>): Promise<string> => {
    await write();
    const store = await openStore(storeDir(dir));
    await edit(store);
    await store.close();
    await (await openStore(storeDir(dir))).close(); // into a table; a write without a marker in a *.log file would be refused
    const found = await start().catch((error: unknown) => error);
    expect(found).toBeInstanceOf(LogDamaged);
    return (found as LogDamaged).message;
  };

  test('a missing segment', async () => {
    expect(await change((store) => store.del(segmentKey(3)))).toMatch(/\.ldb, offset \d+: entries 3 to 3 are missing before entry 4/);
  });

  test('a repeated segment', async () => {
    expect(await change(async (store) => store.put(segmentKey(7), (await store.get(segmentKey(6)))!))).toMatch(
      /entry 6 is there again, after entry 6/,
    );
  });

  test('a missing last segment', async () => {
    expect(await change((store) => store.del(segmentKey(6)))).toMatch(/the log ends with entry 5, and had come to entry 6/);
  });

  test('a segment of another log', async () => {
    const other = join(dir, 'other');
    const strange = await withLog({ dir: other }, async (log) => {
      for (let n = 1; n <= 3; n++) await append(log, entry(n + 100), n);
    }).then(async () => {
      const store = await openStore(storeDir(other));
      const segment = await store.get(segmentKey(3));
      await store.close();
      return segment!;
    });
    expect(await change((store) => store.put(segmentKey(3), strange))).toMatch(/entry 3 does not follow what is kept before it/);
  });

  test('a segment of another shard', async () => {
    const other = join(dir, 'other');
    await withLog({ dir: other, shard: 1 }, (log) => append(log, entry(1), 1));
    const store = await openStore(storeDir(other));
    const segment = await store.get(segmentKey(1));
    await store.close();
    expect(await change((own) => own.put(segmentKey(1), segment!))).toMatch(/entries of shard 1 of 2/);
  });

  test('a segment with a changed byte', async () => {
    const message = await change(async (store) => {
      const segment = Uint8Array.from((await store.get(segmentKey(3)))!);
      segment[70]! ^= 1;
      await store.put(segmentKey(3), segment);
    });
    expect(message).toMatch(/a segment with a wrong checksum/);
  });
});

describe('space', () => {
  const bytesOf = async (folder: string): Promise<number> => {
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name)).catch(() => ({ size: 0 }))).size),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };

  test('of entries before a checkpoint is freed on the disk', async () => {
    await mkdir(dir, { recursive: true });
    await withLog({}, async (log) => {
      for (let n = 1; n <= 40; n++) await append(log, entry(n, 1_000_000), n);
      expect(await bytesOf(storeDir(dir))).toBeGreaterThan(30_000_000);
      await seal(log, put('a', '1'), 40);
      expect(log.replayBytes).toBe(0);
      await expect.poll(() => bytesOf(storeDir(dir))).toBeLessThan(10_000_000);
      await append(log, entries(41, 42), 42);
    });
    expect(await start()).toBe(2);
  });
});
