// A real process writes a log and is killed, or its disk misbehaves. Then the log is read and compared with the process's reports.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DiskFaults, buildFaults } from './faults.ts';
import { LogProcess, lastKept, sleep } from './log-process.ts';

let library: string;
let dir: string;
let faults: DiskFaults;
let running: LogProcess | undefined;
beforeAll(async () => {
  library = await buildFaults();
});
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'claret-log-crash-'));
  faults = new DiskFaults(library, join(dir, 'data'), join(dir, 'faults'));
});
afterEach(async () => {
  await running?.kill();
  await rm(dir, { recursive: true, force: true });
});

const start = (): LogProcess => (running = new LogProcess(join(dir, 'data'), faults.env));
const kept = (): Promise<number> => lastKept(join(dir, 'data'));

describe.each([
  ['a killed process', []],
  ['a process in a power failure: unsynced data is lost', [{ write: 'hold' }]],
] as const)('%s', (_, always) => {
  test('loses nothing that was reported as durable, wherever it is killed', async () => {
    faults.set(...always);
    let [checkpoints, all] = [0, 0];
    for (let round = 0; round < 8; round++) {
      const writer = start();
      const isSealed = (): boolean => writer.lines.some((line) => line.startsWith('sealed'));
      await writer.until('it has come so far', () => (round % 4 === 3 ? isSealed() : writer.lines.length > 1 + round * 3));
      await sleep((round * 23) % 60);
      await writer.kill();
      const last = await kept();
      expect(last).toBeGreaterThanOrEqual(writer.durable);
      expect(writer.lines[0]).toMatch(/^ready/);
      expect(Number(writer.lines[0]!.slice(6))).toBeGreaterThanOrEqual(all); // the previous start found at least this
      all = last;
      checkpoints += writer.lines.filter((line) => line.startsWith('sealed')).length;
    }
    expect(all).toBeGreaterThan(100);
    expect(checkpoints).toBeGreaterThan(0);
  });
});

describe('a disk', () => {
  const runUntil = async (condition: (writer: LogProcess) => boolean): Promise<LogProcess> => {
    const writer = start();
    await writer.until('it writes', () => condition(writer));
    return writer;
  };

  test.each([
    ['that is full, in the middle of a write', { write: 'torn', error: 'ENOSPC' }],
    ['that is full', { write: 'fail', error: 'ENOSPC' }],
    ['whose quota is exhausted at a sync', { sync: 'fail', error: 'EDQUOT' }],
  ] as const)('%s is waited for: no reports in the meantime, all of them afterwards', async (_, fault) => {
    const writer = await runUntil(({ durable }) => durable > 150);
    faults.set(fault);
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    const told = writer.durable;
    await sleep(1200); // it has retried
    expect(writer.durable).toBe(told);
    expect(writer.lines.filter((line) => line.startsWith('trouble'))).toEqual(['trouble full']);
    faults.set();
    await writer.until('it goes on', () => writer.lines.includes('well') && writer.durable > told + 150);
    await writer.kill();
    expect(await kept()).toBeGreaterThanOrEqual(writer.durable);
  });

  test('that is full when its process dies has kept everything that was reported', async () => {
    const writer = await runUntil(({ durable }) => durable > 150);
    faults.set({ write: 'torn', error: 'ENOSPC' });
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    await writer.kill();
    faults.set();
    expect(await kept()).toBeGreaterThanOrEqual(writer.durable);
  });

  test('that is full gets no further writes if durable data was damaged in the meantime', async () => {
    const writer = await runUntil(({ durable }) => durable > 400);
    faults.set({ write: 'fail', error: 'ENOSPC' });
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    const store = join(dir, 'data', 'store');
    const file = join(
      store,
      (await readdir(store))
        .filter((name) => name.endsWith('.log'))
        .toSorted()
        .at(-1)!,
    );
    const bytes = await readFile(file);
    expect(bytes.length).toBeGreaterThan(100_000);
    bytes[40_000]! ^= 0x10; // LevelDB would skip the block, and continue behind it
    await writeFile(file, bytes);
    faults.set();
    await writer.until('it tells of the damage', () => writer.lines.some((line) => line.startsWith('trouble failed')));
    await writer.kill();
    await expect(kept()).rejects.toMatchObject({ name: 'LogDamaged', file });
  });

  test.each([
    ['a sync', { sync: 'fail', error: 'EIO' }],
    ['a write', { write: 'fail', error: 'EIO' }],
  ] as const)('on which %s has failed gets no further writes, even after it has recovered', async (_, fault) => {
    const writer = await runUntil(({ durable }) => durable > 50);
    faults.set(fault);
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble failed'));
    const told = writer.durable;
    faults.set();
    await sleep(800);
    expect(writer.durable).toBe(told);
    await writer.kill();
    expect(await kept()).toBeGreaterThanOrEqual(told);
  });

  test('that lies about its syncs is detected by this test', async () => {
    faults.set({ write: 'hold' }, { sync: 'lie' }); // from the start, so that no real sync makes anything durable
    const writer = await runUntil(({ durable }) => durable > 20);
    await writer.kill();
    expect(await kept().catch(() => 0)).toBeLessThan(writer.durable);
  });
});
