import { readFileSync } from 'node:fs';
import process from 'node:process';
import { releaseMemory } from '@claret/core';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleMemory } from './idle-memory.ts';

const MIB = 1 << 20;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('memory is released if the shard is idle and the process has grown, and not again without growth', async () => {
  let [workMs, heldMib, releases] = [0, 100, 0];
  const memory = new IdleMemory(
    { workMs: () => workMs, heldBytes: () => heldMib * MIB, release: async () => void ((heldMib -= 30), releases++) },
    1_000,
  );
  memory.start();
  heldMib = 160;
  workMs += 500;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(releases, 'it works').toBe(0);
  workMs += 5;
  await vi.advanceTimersByTimeAsync(1_000);
  expect([releases, heldMib]).toEqual([1, 130]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(releases, 'the rest is in use').toBe(1);
  heldMib += 4;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(releases, 'too little').toBe(1);
  heldMib += 6;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(releases).toBe(2);
  memory.close();
  heldMib = 500;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(releases).toBe(2);
});

test('the release runs on another thread and resolves', async () => {
  vi.useRealTimers();
  await releaseMemory();
  expect(readFileSync('/proc/self/statm', 'utf8')).toMatch(/^\d/);
  expect(process.memoryUsage.rss()).toBeGreaterThan(0);
});
