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

  test('under async, entries wait once 16 MiB are not yet written, and all are reported in order', async () => {
    const { log, kept } = await openLog({ ...optionsOf(dir), durability: 'async' });
    await readAll(kept);
    const durable: number[] = [];
    const all = Array.from({ length: 30 }, (_, n) => n + 1);
    for (const n of all) log.append(entry(n, 1 << 20), n, (position) => void durable.push(position));
    expect(durable).toEqual(all.slice(0, 16)); // nothing can have been written within this turn
    await expect.poll(() => durable.length).toBe(30);
    expect(durable).toEqual(all);
    log.append(entry(31), 31, (position) => void durable.push(position));
    expect(durable.at(-1)).toBe(31);
    await log.close();
    const again = await openLog(optionsOf(dir));
    expect((await readAll(again.kept)).count).toBe(31);
    await again.log.close();
  });

  test('closes even if its end cannot be recorded; the next start treats it as after a crash', async () => {
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
