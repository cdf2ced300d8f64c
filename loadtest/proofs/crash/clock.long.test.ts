// A process whose wall clock is set from outside: it jumps, the steady clock does not, and a process that was killed leaves nothing behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { ActorClock, clockLibrary, removeTracesOfClock } from './clock.ts';

const HOUR_MS = 3_600_000;
/** Between two readings on a busy machine. */
const NEAR_MS = 60_000;
/** Answers each line with its two clocks. */
const PROGRAM = `process.stdin.on('data', () => console.log(JSON.stringify({ wallMs: Date.now(), steadyNs: String(process.hrtime.bigint()) })));`;

interface Reading {
  wallMs: number;
  steadyNs: string;
}

const folder = mkdtempSync(join(tmpdir(), 'claret-clock-'));
let child: ChildProcess;
afterEach(() => {
  child.kill('SIGKILL');
  removeTracesOfClock(child.pid!);
  rmSync(folder, { recursive: true, force: true });
});

test('a wall clock jumps forth and back while the steady clock goes on, and nothing is left of a killed process', async () => {
  const clock = new ActorClock(clockLibrary(), join(folder, 'clock'));
  child = spawn(process.execPath, ['-e', PROGRAM], { env: { ...process.env, ...clock.env() }, stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const read = async (): Promise<Reading> => {
    child.stdin!.write('now\n');
    return JSON.parse((await answers.next()).value!) as Reading;
  };
  for (const aheadMs of [0, HOUR_MS, -HOUR_MS, -250, 0]) {
    clock.set(aheadMs);
    const { wallMs, steadyNs } = await read();
    expect(Math.abs(wallMs - aheadMs - Date.now()), `${aheadMs} ms ahead`).toBeLessThan(NEAR_MS);
    expect(Math.abs(Number(BigInt(steadyNs) - process.hrtime.bigint()) / 1e6)).toBeLessThan(NEAR_MS);
  }
  const traces = [`/dev/shm/faketime_shm_${child.pid}`, `/dev/shm/sem.faketime_sem_${child.pid}`];
  expect(traces.filter((path) => existsSync(path))).toEqual(traces);
  const ended = new Promise((resolve) => child.on('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  removeTracesOfClock(child.pid!);
  expect(traces.filter((path) => existsSync(path))).toEqual([]);
});
