import { expect, test } from 'vitest';
import { longestGap, untilCommit, type Done } from './gaps.ts';

const done = (begunMs: number, endedMs: number): Done => ({ begunMs, endedMs, inEpoch: true });

test('the longest gap is between two neighbours in time, however the lists are listed', () => {
  expect(longestGap([done(0, 90), done(0, 10), done(0, 40)], 0, 100)).toBe(50);
});

test('without a commit near an end the gap reaches to it', () => {
  expect(longestGap([done(0, 60)], 0, 100)).toBe(60);
  expect(longestGap([], 0, 100)).toBe(100);
  expect(longestGap([done(0, 50), done(0, 150)], 100, 200)).toBe(50);
});

test('a list that began before the moment says nothing about what follows', () => {
  expect(untilCommit([done(90, 110), done(120, 170), done(105, 180)], 100)).toBe(70);
  expect(untilCommit([done(90, 110)], 100)).toBe(null);
});
