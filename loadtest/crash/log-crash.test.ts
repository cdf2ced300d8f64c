// A real process writes a log, and is killed, or its disk misbehaves; then the log is read and held against what the process was told.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLog } from '@claret/gateway/log/open-log.ts';
import { readAll } from '@claret/gateway/log/sample.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DiskFaults, buildFaults } from './faults.ts';
import { CHECKPOINT_KEYS, SEAL_KEY, entriesTo } from './log-writer.ts';

let library: string;
let dir: string;
let faults: DiskFaults;
let running: Writer | undefined;
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

/** A log-writer process, and what it has told. */
class Writer {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  private constructor() {
    const program = join(import.meta.dirname, 'log-writer.ts');
    this.#child = spawn(process.execPath, [program, join(dir, 'data')], { env: { ...process.env, ...faults.env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.#child.stdout! }).on('line', (line) => this.lines.push(line));
    this.#closed = once(lines, 'close');
  }

  static start(): Writer {
    return (running = new Writer());
  }

  get durable(): number {
    return Math.max(0, ...this.lines.flatMap((line) => (line.startsWith('durable ') ? [Number(line.slice(8))] : [])));
  }

  async until(what: string, condition: () => boolean): Promise<void> {
    for (const endMs = performance.now() + 15_000; !condition(); await sleep(5)) {
      if (performance.now() > endMs) throw new Error(`${what}: not within 15 s; told: ${this.lines.slice(-5).join(', ')}`);
    }
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed; // what it told before counts
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a start finds must be whole in itself; the last entry's position. */
async function lastKept(): Promise<number> {
  const { log, kept } = await openLog({
    ...{ dir: join(dir, 'data'), clusterName: 'crash', shard: 0, shards: 1, incarnation: Math.floor(Date.now() / 1000) + 1, durability: 'sync' },
    onTrouble: () => {},
  });
  const { pairs, entries, count } = await readAll(kept);
  await log.close();
  const sealed = Number(pairs[SEAL_KEY] ?? 0);
  expect(entries.equals(entriesTo(sealed + 1, sealed + count))).toBe(true);
  // What a checkpoint that was not finished has put over an older one is newer than it.
  if (sealed > 0) for (const key of CHECKPOINT_KEYS) expect(Number(pairs[key])).toBeGreaterThanOrEqual(sealed);
  for (const key of CHECKPOINT_KEYS) expect(Number(pairs[key] ?? 0)).toBeLessThanOrEqual(sealed + count);
  return sealed + count;
}

describe.each([
  ['a killed process', []],
  ['a process whose power is cut: what was not synced is gone', [{ write: 'hold' }]],
] as const)('%s', (_, always) => {
  test('loses nothing that it was told is durable, wherever it is killed', async () => {
    faults.set(...always);
    let [checkpoints, all] = [0, 0];
    for (let round = 0; round < 8; round++) {
      const writer = Writer.start();
      const isSealed = (): boolean => writer.lines.some((line) => line.startsWith('sealed'));
      await writer.until('it has come so far', () => (round % 4 === 3 ? isSealed() : writer.lines.length > 1 + round * 3));
      await sleep((round * 23) % 60);
      await writer.kill();
      const last = await lastKept();
      expect(last).toBeGreaterThanOrEqual(writer.durable);
      expect(writer.lines[0]).toMatch(/^ready/);
      expect(Number(writer.lines[0]!.slice(6))).toBeGreaterThanOrEqual(all); // the start before this one found as much
      all = last;
      checkpoints += writer.lines.filter((line) => line.startsWith('sealed')).length;
    }
    expect(all).toBeGreaterThan(100);
    expect(checkpoints).toBeGreaterThan(0);
  }, 90_000);
});

describe('a disk', () => {
  const runUntil = async (condition: (writer: Writer) => boolean): Promise<Writer> => {
    const writer = Writer.start();
    await writer.until('it writes', () => condition(writer));
    return writer;
  };

  test.each([
    ['that is full, in the middle of a write', { write: 'torn', error: 'ENOSPC' }],
    ['that is full', { write: 'fail', error: 'ENOSPC' }],
    ['whose quota is used up when it is synced', { sync: 'fail', error: 'EDQUOT' }],
  ] as const)('%s is waited for: nothing is told meanwhile, everything after', async (_, fault) => {
    const writer = await runUntil(({ durable }) => durable > 150);
    faults.set(fault);
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    const told = writer.durable;
    await sleep(1200); // it has tried again
    expect(writer.durable).toBe(told);
    expect(writer.lines.filter((line) => line.startsWith('trouble'))).toEqual(['trouble full']);
    faults.set();
    await writer.until('it goes on', () => writer.lines.includes('well') && writer.durable > told + 150);
    await writer.kill();
    expect(await lastKept()).toBeGreaterThanOrEqual(writer.durable);
  }, 60_000);

  test('that is full when its process dies has kept everything that was told', async () => {
    const writer = await runUntil(({ durable }) => durable > 150);
    faults.set({ write: 'torn', error: 'ENOSPC' });
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    await writer.kill();
    faults.set();
    expect(await lastKept()).toBeGreaterThanOrEqual(writer.durable);
  }, 60_000);

  test('that is full is not written to again where something that was durable is damaged meanwhile', async () => {
    const writer = await runUntil(({ durable }) => durable > 400);
    faults.set({ write: 'fail', error: 'ENOSPC' });
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble full'));
    const store = join(dir, 'data', 'store');
    const file = join(store, (await readdir(store)).filter((name) => name.endsWith('.log')).toSorted().at(-1)!);
    const bytes = await readFile(file);
    expect(bytes.length).toBeGreaterThan(100_000);
    bytes[40_000]! ^= 0x10; // LevelDB would pass over the block, and go on behind it
    await writeFile(file, bytes);
    faults.set();
    await writer.until('it tells of the damage', () => writer.lines.some((line) => line.startsWith('trouble failed')));
    await writer.kill();
    await expect(lastKept()).rejects.toMatchObject({ name: 'LogDamaged', file });
  }, 60_000);

  test.each([
    ['a sync', { sync: 'fail', error: 'EIO' }],
    ['a write', { write: 'fail', error: 'EIO' }],
  ] as const)('on which %s has failed is not written to any more, even when it is well again', async (_, fault) => {
    const writer = await runUntil(({ durable }) => durable > 50);
    faults.set(fault);
    await writer.until('it tells of the trouble', () => writer.lines.includes('trouble failed'));
    const told = writer.durable;
    faults.set();
    await sleep(800);
    expect(writer.durable).toBe(told);
    await writer.kill();
    expect(await lastKept()).toBeGreaterThanOrEqual(told);
  }, 60_000);

  test('that lies about its syncs is found out by this very test', async () => {
    faults.set({ write: 'hold' });
    const writer = await runUntil(({ durable }) => durable > 20);
    faults.set({ write: 'hold' }, { sync: 'lie' });
    const before = writer.durable;
    await writer.until('it goes on', () => writer.durable > before + 10);
    await writer.kill();
    expect(await lastKept().catch(() => 0)).toBeLessThan(writer.durable);
  }, 60_000);
});
