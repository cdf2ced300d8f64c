// When a checkpoint begins, how it is paced, and when requests resolve, with a simulated clock, shard and log.
import { expect, test } from 'vitest';
import { systemEnvironment } from '@claret/client';
import type { Environment } from '@claret/client';
import { Checkpointer } from './checkpointer.ts';

const LIMITS = { replayBytesMax: 1000, intervalMs: 60_000, replayBytesLeast: 10, vacantRecordsMax: 20, lookMs: 1_000, sliceBytes: 64 };

/** A simulated environment: time advances only when a test says so, and due timers run in order. */
class TestWorld {
  nowMs = 0;
  /** number of slices of a checkpoint */
  pieces = 3;
  /** time that the shard takes for a slice */
  pieceMs = 0.5;
  /** callbacks of the log that have not run yet */
  readonly unanswered: (() => void)[] = [];
  readonly calls: string[] = [];
  private queue: { atMs: number; run: () => void }[] = [];
  private left = 0;

  readonly environment: Environment = {
    ...systemEnvironment,
    monotonicMs: () => this.nowMs,
    setImmediate: (run) => void this.queue.push({ atMs: this.nowMs, run }),
    setTimeout: (run, delayMs) => {
      const timer = { atMs: this.nowMs + delayMs, run };
      this.queue.push(timer);
      return timer;
    },
    clearTimeout: (timer) => void (this.queue = this.queue.filter((queued) => queued !== timer)),
  };

  readonly log = {
    replayBytes: 0,
    keep: (_pairs: Uint8Array, kept: () => void) => {
      this.calls.push(`keep at ${this.nowMs}`);
      this.unanswered.push(kept);
    },
    seal: (_pairs: Uint8Array, position: number, sealed: () => void) => {
      this.calls.push(`seal ${position} at ${this.nowMs}`);
      this.unanswered.push(sealed);
    },
  };
  vacantRecords = 0;
  readonly checkpointer: Checkpointer;

  constructor() {
    this.checkpointer = new Checkpointer({
      environment: this.environment,
      limits: LIMITS,
      host: {
        counters: () => ({ vacantRecords: this.vacantRecords }),
        cuts: {
          beginCheckpoint: () => {
            this.calls.push('begin');
            this.left = this.pieces;
          },
          takeCheckpoint: () => {
            this.nowMs += this.pieceMs;
            return { pairs: new Uint8Array(64), position: --this.left === 0 ? 7 : 0 };
          },
        },
      },
      log: this.log,
    });
  }

  runUntil(ms: number): void {
    for (;;) {
      const next = this.queue.reduce<{ atMs: number; run: () => void } | undefined>((a, b) => (a && a.atMs <= b.atMs ? a : b), undefined);
      if (!next || next.atMs > ms) break;
      this.queue.splice(this.queue.indexOf(next), 1);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.run();
    }
    this.nowMs = Math.max(this.nowMs, ms);
  }

  answer(): void {
    this.unanswered.shift()!();
  }
}

test('a checkpoint begins when there is too much to replay, and continues once the log has stored a slice and the pause is over', () => {
  const world = new TestWorld();
  world.checkpointer.start();
  world.log.replayBytes = 1000;
  world.runUntil(1_000);
  expect(world.calls).toEqual([]);
  world.log.replayBytes = 1001;
  world.runUntil(2_100);
  expect(world.calls, 'the log has not answered').toEqual(['begin', 'keep at 2000.5']);
  world.answer();
  world.runUntil(2_104);
  expect(world.calls).toHaveLength(2);
  world.runUntil(2_110);
  expect(world.calls.slice(2)).toEqual(['keep at 2105.5']);
  world.answer();
  world.runUntil(2_200);
  expect(world.calls.slice(3)).toEqual(['seal 7 at 2115.5']);
  expect(world.checkpointer.count).toBe(0);
  world.answer();
  expect(world.checkpointer).toMatchObject({ count: 1, lastBytes: 3 * 64, lastMs: 200, sealedAtMs: 2_200 });
});

test('checkpoints follow each other at the interval as long as there are vacant records', () => {
  const world = new TestWorld();
  world.checkpointer.start();
  const checkpointsIn = (intervals: number) => {
    const before = world.checkpointer.count;
    const endMs = world.nowMs + intervals * LIMITS.intervalMs;
    while (world.nowMs < endMs) {
      world.runUntil(world.nowMs + LIMITS.lookMs);
      while (world.unanswered.length > 0) world.answer();
    }
    return world.checkpointer.count - before;
  };
  expect(checkpointsIn(10)).toBe(0);
  world.vacantRecords = 1;
  expect(checkpointsIn(10)).toBeGreaterThan(5);
  world.vacantRecords = 0;
  checkpointsIn(1); // what has begun ends
  expect(checkpointsIn(10)).toBe(0);
});

test('a checkpoint begins when many records have become vacant since the last, and not because it has left them', () => {
  const world = new TestWorld();
  world.checkpointer.start();
  const checkpointsIn = (looks: number) => {
    const before = world.checkpointer.count;
    for (let n = 0; n < looks; n++) {
      world.runUntil(world.nowMs + LIMITS.lookMs);
      while (world.unanswered.length > 0) world.answer();
    }
    return world.checkpointer.count - before;
  };
  world.vacantRecords = LIMITS.vacantRecordsMax;
  expect(checkpointsIn(8)).toBe(0);
  world.vacantRecords += 1;
  expect(checkpointsIn(8)).toBe(1);
  expect(checkpointsIn(8)).toBe(0);
  world.vacantRecords += LIMITS.vacantRecordsMax + 1;
  expect(checkpointsIn(8)).toBe(1);
});

test('a small amount to replay is covered after the interval, a tiny one never', () => {
  const world = new TestWorld();
  world.checkpointer.start();
  world.log.replayBytes = 10;
  world.runUntil(100_000);
  expect(world.calls).toEqual([]);
  world.log.replayBytes = 11;
  world.runUntil(101_000);
  expect(world.calls[0]).toBe('begin');
});

test('a request during a checkpoint waits for the next one, which covers what was appended meanwhile', async () => {
  const world = new TestWorld();
  world.pieces = 1;
  const ended: string[] = [];
  void world.checkpointer.checkpoint().then(() => ended.push('first'));
  world.runUntil(1);
  void world.checkpointer.checkpoint().then(() => ended.push('second'));
  void world.checkpointer.checkpoint().then(() => ended.push('third'));
  world.answer();
  await Promise.resolve();
  expect(ended).toEqual(['first']);
  expect(world.calls).toEqual(['begin', 'seal 7 at 0.5', 'begin']);
  world.runUntil(2);
  world.answer();
  await Promise.resolve();
  expect(ended).toEqual(['first', 'second', 'third']);
});

test('a checkpoint in a hurry does not pause between slices, and the next one does', () => {
  const world = new TestWorld();
  world.pieceMs = 0.25;
  void world.checkpointer.checkpoint({ hurry: true });
  for (let slice = 0; slice < 3; slice++) {
    world.runUntil(world.nowMs);
    world.answer();
  }
  expect(world.calls).toEqual(['begin', 'keep at 0.25', 'keep at 0.5', 'seal 7 at 0.75']);
  void world.checkpointer.checkpoint();
  world.runUntil(1);
  world.answer();
  world.runUntil(3);
  expect(world.unanswered, 'still pausing').toEqual([]);
});

test('after close no slice is taken, even if callbacks of the log still run', () => {
  const world = new TestWorld();
  void world.checkpointer.checkpoint();
  world.runUntil(1);
  world.checkpointer.close();
  world.answer();
  world.runUntil(1_000_000);
  expect(world.calls).toEqual(['begin', 'keep at 0.5']);
});

test('a stall rejects pending and new requests; the running checkpoint continues afterwards', async () => {
  const world = new TestWorld();
  const { checkpointer } = world;
  const first = checkpointer.checkpoint();
  const [next, hold] = [checkpointer.checkpoint(), checkpointer.hold()];
  world.runUntil(1);
  const full = new Error('full');
  checkpointer.stall(full);
  for (const waiting of [first, next, hold, checkpointer.checkpoint()]) await expect(waiting).rejects.toBe(full);
  checkpointer.stall(null);
  for (let ms = 100; world.unanswered.length > 0; ms += 100) {
    world.answer();
    world.runUntil(ms);
  }
  expect(checkpointer.count).toBe(1);
  const again = checkpointer.checkpoint(); // nothing holds it off
  world.runUntil(1_000);
  while (world.unanswered.length > 0) {
    world.answer();
    world.runUntil(world.nowMs + 100);
  }
  await again;
  expect(checkpointer.count).toBe(2);
});

test('a checkpoint in a hurry gives the log up to the maximum of slices without waiting, and seals after all of them', async () => {
  const world = new TestWorld();
  world.pieces = 40;
  const done = world.checkpointer.checkpoint({ hurry: true });
  world.runUntil(1_000);
  expect(world.unanswered.length, 'slices given at once').toBe(32);
  world.answer();
  world.runUntil(2_000);
  expect(world.unanswered.length).toBe(32);
  while (world.unanswered.length > 0) {
    world.answer();
    world.runUntil(world.nowMs + 100);
  }
  await done;
  expect(world.calls.filter((call) => call.startsWith('keep'))).toHaveLength(39);
  expect(world.calls.at(-1)).toMatch(/^seal 7/);

  const patient = world.checkpointer.checkpoint();
  world.runUntil(world.nowMs + 100);
  expect(world.unanswered.length, 'the hurry was for that one').toBe(1);
  while (world.unanswered.length > 0) {
    world.answer();
    world.runUntil(world.nowMs + 100);
  }
  await patient;
});
