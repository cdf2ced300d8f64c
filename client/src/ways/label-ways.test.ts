// How the lists of a label learn which way is faster, and how many of them take locks at once.
import { beforeEach, expect, test } from 'vitest';
import { LabelWays } from './label-ways.ts';

const SECOND_MS = 1_000;
/** What is drawn: the list goes the other way, or not. */
const [LEARNS, KEEPS] = [0, 0.5];

let nowMs: number;
let ways: LabelWays;

beforeEach(() => {
  nowMs = 0;
  ways = new LabelWays(true);
});

/** One list by itself, if it takes so long either way. Returns whether it went by epochs. */
function list(epochsMs: number, locksMs: number, random = KEEPS): boolean {
  const byEpoch = ways.begin(nowMs, random);
  nowMs += byEpoch ? epochsMs : locksMs;
  ways.took(byEpoch, byEpoch ? epochsMs : locksMs, nowMs);
  ways.ended(byEpoch);
  return byEpoch;
}

/** So many lists, one of 64 of which is drawn to go the other way. Returns how many went by epochs. */
const lists = (count: number, epochsMs: number, locksMs: number) =>
  Array.from({ length: count }, (_, i) => list(epochsMs, locksMs, (i % 64) / 64)).filter(Boolean).length;

/** So many lists at once, each of which takes so long; null: none commits. Returns how many began by locks. */
function atOnce(count: number, durationMs: number | null): number {
  const begun = Array.from({ length: count }, () => ways.begin(nowMs, KEEPS));
  nowMs += durationMs ?? 0;
  for (const byEpoch of begun) {
    if (durationMs !== null) ways.took(byEpoch, durationMs, nowMs);
    ways.ended(byEpoch);
  }
  return begun.filter((byEpoch) => !byEpoch).length;
}

function preferLocks(): void {
  list(10, 3);
  expect(list(10, 3, LEARNS)).toBe(false);
  expect(list(10, 3)).toBe(false);
}

test('a list that is drawn goes the other way, and the faster way is taken from then on', () => {
  expect(list(10, 3)).toBe(true);
  expect(list(10, 3, LEARNS)).toBe(false);
  expect(Array.from({ length: 20 }, () => list(10, 3))).not.toContain(true);
});

test('what is hardly faster does not change the way', () => {
  list(10, 8.5, LEARNS);
  expect(Array.from({ length: 20 }, () => list(10, 8.5))).not.toContain(false);
});

test('once the other way has become faster, it is found', () => {
  preferLocks();
  expect(lists(64 * 50, 10, 200)).toBeGreaterThan(64 * 25);
});

test('what was measured long ago does not count', () => {
  list(10, 100, LEARNS);
  for (let i = 0; i < 300; i++) expect(list(10, 100)).toBe(true);
  expect(list(10, 3, LEARNS)).toBe(false);
  expect(list(10, 3)).toBe(false);
});

test('no more than one list a second goes the slower way to learn, and less and less often', () => {
  const learners = (seconds: number) => {
    let byLocks = 0;
    for (const endMs = nowMs + seconds * SECOND_MS; nowMs < endMs;) byLocks += Number(!list(100, 300, LEARNS));
    return byLocks;
  };
  expect(learners(15)).toBe(4);
  expect(learners(64)).toBeLessThanOrEqual(5);
});

test('locks are for one list at a time, and for one more after each that was faster than members are', () => {
  preferLocks();
  ways.metLock();
  expect([1, 2, 3, 4, 5, 6].map(() => atOnce(128, 3))).toEqual([1, 2, 4, 8, 16, 32]);
});

test('once one has met a lock, they are for one at a time again', () => {
  preferLocks();
  for (let i = 0; i < 4; i++) atOnce(128, 3);
  expect(atOnce(128, null)).toBeGreaterThan(16);
  ways.metLock();
  expect(atOnce(128, null)).toBe(1);
});

test('once one was slower than members are, they are for one at a time again', () => {
  preferLocks();
  for (let i = 0; i < 4; i++) atOnce(128, 3);
  expect(list(3, 3.2)).toBe(false);
  expect(atOnce(128, null)).toBe(1);
});
