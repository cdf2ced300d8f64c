import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from './open-log.ts';
import { append, entry, readAll } from './sample.ts';
import { logContract, optionsOf } from './testing.ts';

for (const durability of ['sync', 'async'] as const) {
  logContract(`LocalLog (${durability})`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'claret-log-'));
    return {
      async open() {
        const { log, kept } = await openLog({ ...optionsOf(dir), durability });
        return { log, kept: await readAll(kept) };
      },
      remove: () => rm(dir, { recursive: true, force: true }),
    };
  });
}

describe('LocalLog', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'claret-log-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  test('under async, entries wait once 16 MiB are on their way to the disk; told in order, all of them', async () => {
    const { log, kept } = await openLog({ ...optionsOf(dir), durability: 'async' });
    await readAll(kept);
    const told: number[] = [];
    const all = Array.from({ length: 30 }, (_, n) => n + 1);
    for (const n of all) log.append(entry(n, 1 << 20), n, (position) => void told.push(position));
    expect(told).toEqual(all.slice(0, 16)); // nothing can have been written within this turn
    await expect.poll(() => told.length, { timeout: 20_000 }).toBe(30);
    expect(told).toEqual(all);
    log.append(entry(31), 31, (position) => void told.push(position));
    expect(told.at(-1)).toBe(31);
    await log.close();
    const again = await openLog(optionsOf(dir));
    expect((await readAll(again.kept)).count).toBe(31);
    await again.log.close();
  }, 30_000);

  test('is closed although its end cannot be noted; then it is found as after a crash', async () => {
    const { log, kept } = await openLog(optionsOf(dir));
    await readAll(kept);
    await append(log, entry(1), 1);
    await mkdir(join(dir, 'reached.json.new'));
    await log.close();
    await rm(join(dir, 'reached.json.new'), { recursive: true });
    const again = await openLog(optionsOf(dir));
    expect((await readAll(again.kept)).count).toBe(1);
    await again.log.close();
  });
});
