// A real process that writes a log (log-writer.ts), for tests that kill it: its reports, and the log that the next start finds.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLog } from '@claret/gateway/log/open-log.ts';
import { readAll } from '@claret/gateway/log/sample.ts';
import { expect } from 'vitest';
import { CHECKPOINT_KEYS, SEAL_KEY, entriesTo } from './log-writer.ts';

const PATIENT_MS = 120_000;

/** A log-writer process, and its reports. */
export class LogProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  #gone = false;

  /** It writes into `dir`. */
  constructor(dir: string, env: NodeJS.ProcessEnv) {
    const program = join(import.meta.dirname, 'log-writer.ts');
    this.#child = spawn(process.execPath, [program, dir], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.#child.stdout! }).on('line', (line) => this.lines.push(line));
    this.#closed = once(lines, 'close').then(() => (this.#gone = true));
  }

  get isReady(): boolean {
    return this.lines.some((line) => line.startsWith('ready'));
  }

  get durable(): number {
    return Math.max(0, ...this.lines.flatMap((line) => (line.startsWith('durable ') ? [Number(line.slice(8))] : [])));
  }

  async until(what: string, condition: () => boolean): Promise<void> {
    for (const endMs = performance.now() + PATIENT_MS; !condition(); await sleep(5)) {
      if (performance.now() > endMs) throw new Error(`${what}: not within ${PATIENT_MS} ms; reported: ${this.lines.slice(-5).join(', ')}`);
    }
  }

  /** It has died by itself, and all its reports have been read. */
  get isGone(): boolean {
    return this.#gone;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed; // its earlier reports count
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Checks that the log found by a start is consistent; returns the last entry's position. */
export async function lastKept(dir: string): Promise<number> {
  const { log, kept } = await openLog({
    dir,
    clusterName: 'crash',
    shard: 0,
    shards: 1,
    incarnation: Math.floor(Date.now() / 1000) + 1,
    durability: 'sync',
    onTrouble: () => {},
  });
  const { pairs, entries, count } = await readAll(kept).finally(() => log.close());
  const sealed = Number(pairs[SEAL_KEY] ?? 0);
  expect(entries.equals(entriesTo(sealed + 1, sealed + count))).toBe(true);
  // Pairs that an incomplete checkpoint has put over those of an older one are newer.
  if (sealed > 0) for (const key of CHECKPOINT_KEYS) expect(Number(pairs[key])).toBeGreaterThanOrEqual(sealed);
  for (const key of CHECKPOINT_KEYS) expect(Number(pairs[key] ?? 0)).toBeLessThanOrEqual(sealed + count);
  return sealed + count;
}
