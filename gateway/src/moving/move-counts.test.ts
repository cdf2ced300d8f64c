import { expect, test } from 'vitest';
import { HELD_BOUNDS_S, MoveCounts } from './move-counts.ts';
import type { MoveState } from './slot-giver.ts';

const ended = (phase: MoveState['phase']): MoveState => ({
  move: '0-1-a',
  from: 0,
  to: 1,
  slots: { first: 10, last: 19 },
  phase,
  bytesSent: 0,
  bytesLeft: 0,
  drains: 1,
  heldMs: 3,
  beganAtMs: 0,
  why: null,
});

test('moves are counted by outcome, and slots as given only if a move is done', () => {
  const counts = new MoveCounts();
  for (const phase of ['done', 'called_off', 'done', 'failed'] as const) counts.ended(ended(phase));
  expect(counts.outcomes).toEqual({ done: 2, called_off: 1, failed: 1 });
  expect(counts.slotsGiven).toBe(20);
});

test('a held time is counted in the first bucket that is not below it, and beyond all bounds in the last one', () => {
  const counts = new MoveCounts();
  for (const ms of [0.4, 1, 400, 60_000]) counts.held(ms);
  expect(counts.heldCounts[0]).toBe(2);
  expect(counts.heldCounts[HELD_BOUNDS_S.indexOf(0.5)]).toBe(1);
  expect(counts.heldCounts.at(-1)).toBe(1);
  expect(counts.heldSeconds).toBeCloseTo(60.4014);
});
