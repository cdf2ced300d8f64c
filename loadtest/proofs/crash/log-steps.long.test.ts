// A start of a log changes its folder step by step: identity and marks, cutting off a torn end, LevelDB's conversion of its *.log
// file to a table, a manifest, a new file. A process dies at one of these steps, its next start at another; then everything
// reported as durable is still there. CLARET_STEPS=all runs every step instead of a few.
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DiskFaults, buildFaults } from './faults.ts';
import type { Fault } from './faults.ts';
import { LogProcess, lastKept } from './log-process.ts';

const STEPS_TRIED = process.env['CLARET_STEPS'] === 'all' ? Infinity : 3;
/** A start has at least this many steps. */
const STEPS_LEAST = 40;
const PATIENT_MS = 30 * 60_000;

let library: string;
let root: string;
let running: LogProcess | undefined;
beforeAll(async () => {
  library = await buildFaults();
});
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'claret-log-steps-'));
});
afterEach(async () => {
  await running?.kill();
  await rm(root, { recursive: true, force: true });
});

/** Runs a process that dies at that call to its disk; returns whether it had started by then, and the greatest reported position. */
async function diesAt(
  dir: string,
  calls: number,
  permille: number,
  always: readonly Fault[],
): Promise<{ begun: boolean; durable: number }> {
  const faults = new DiskFaults(library, dir, join(root, 'faults'));
  faults.set(...always, { die: { calls, permille } });
  running = new LogProcess(dir, faults.env);
  await running.until('it dies', () => running!.isGone);
  return { begun: running.isReady, durable: running.durable };
}

/** Runs every step of a start on the image, or a few; returns their number. */
async function dieAtSteps(image: string, position: number, always: readonly Fault[]): Promise<number> {
  const dir = join(root, 'data');
  const permille = Math.floor(Math.random() * 1000);
  const dieTwice = async (first: number, second: number): Promise<boolean> => {
    await rm(dir, { recursive: true, force: true });
    await cp(image, dir, { recursive: true });
    const one = await diesAt(dir, first, permille, always);
    const other = await diesAt(dir, second, permille, always);
    const what = `dead at call ${first}, then at ${second}; ${permille} of a thousand written`;
    const last = await lastKept(dir).catch((error: unknown) => expect.unreachable(`${what}: ${String(error)}`));
    expect(last, what).toBeGreaterThanOrEqual(Math.max(position, one.durable, other.durable));
    return one.begun;
  };
  const anyStep = (): number => 1 + Math.floor(Math.random() * STEPS_LEAST);
  if (STEPS_TRIED < Infinity) {
    for (let tried = 0; tried < STEPS_TRIED; tried++) await dieTwice(anyStep(), anyStep());
    return STEPS_TRIED;
  }
  let steps = 1;
  while (!(await dieTwice(steps, anyStep()))) steps++;
  return steps;
}

describe.each([
  ['a process that dies', []],
  ['a loss of power', [{ write: 'hold' }]],
] as const)('%s in the middle of a start', (_, always) => {
  test(
    'the first start leaves a usable folder',
    async () => {
      const image = join(root, 'image');
      await mkdir(image);
      expect(await dieAtSteps(image, 0, always)).toBeGreaterThanOrEqual(Math.min(STEPS_TRIED, STEPS_LEAST));
    },
    PATIENT_MS,
  );

  test(
    'loses nothing of a log with a torn end',
    async () => {
      const image = join(root, 'image');
      await mkdir(image);
      const one = await diesAt(image, 400, 500, always);
      const other = await diesAt(image, 500, 700, always);
      expect(other.durable).toBeGreaterThan(one.durable);
      expect(await dieAtSteps(image, other.durable, always)).toBeGreaterThanOrEqual(Math.min(STEPS_TRIED, STEPS_LEAST));
    },
    PATIENT_MS,
  );
});
