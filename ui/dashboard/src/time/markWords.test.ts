import { expect, test } from 'vitest';
import type { Mark } from '../store/telemetryStore.ts';
import { markAbbreviation, markDetails, markKind, markWords } from './markWords.ts';

const takeOver = (unanswered_ms?: number): Mark => {
  const what = { shard_taken_over: 3, by: '10.0.0.2:7400', from: '10.0.0.1:7400' };
  return { at_ms: 0, what: unanswered_ms === undefined ? what : { ...what, unanswered_ms } };
};

test('a take-over names the new owner, and on request the one before and the longest time without answers', () => {
  const mark = takeOver(2_301);
  expect([markKind(mark), markWords(mark), markAbbreviation(mark)]).toEqual(['takeOver', 'Shard 3 taken over by 10.0.0.2:7400', 'Shard 3']);
  expect(markDetails(mark)).toBe('from 10.0.0.1:7400, after at most 2.4 s without answers');
  expect(markDetails(takeOver(900))).toBe('from 10.0.0.1:7400, after at most 0.9 s without answers');
  expect(markDetails(takeOver())).toBe('from 10.0.0.1:7400');
});

const move = (more: Partial<Extract<Mark['what'], { slots_moved: string }>>): Mark => ({
  at_ms: 0,
  what: { slots_moved: 'done', count: 2_731, from: 0, to: 2, ...more },
});

test('a move names how many slots went from where to where, and on request for how long they were held', () => {
  const mark = move({ held_ms: 12.4 });
  expect([markKind(mark), markWords(mark), markAbbreviation(mark)]).toEqual(['move', '2,731 slots moved from shard 0 to 2', '0 → 2']);
  expect(markDetails(mark)).toBe('held for 12 ms');
  expect(markDetails(move({ held_ms: 0.2 }))).toBe('held for 0.2 ms');
  expect(markDetails(move({ held_ms: 2_301 }))).toBe('held for 2.3 s');
  expect([markWords(move({ count: 1 })), markDetails(move({}))]).toEqual(['1 slot moved from shard 0 to 2', '']);
});

test('a move that is not done says that the slots stay, and why', () => {
  const mark = move({ slots_moved: 'called_off', why: 'an operator has called it off' });
  expect(markWords(mark)).toBe('Move of 2,731 slots from shard 0 to 2 called off');
  expect(markDetails(mark)).toBe('the slots stay: an operator has called it off');
  const failed = move({ slots_moved: 'failed', held_ms: 399.6, why: 'the disk is full' });
  expect([markWords(failed), markDetails(failed)]).toEqual([
    'Move of 2,731 slots from shard 0 to 2 failed',
    'held for 400 ms; the slots stay: the disk is full',
  ]);
});

test('other changes say all in their words', () => {
  const restart: Mark = { at_ms: 0, what: { shard_restarted: 1 } };
  expect([markKind(restart), markWords(restart), markAbbreviation(restart), markDetails(restart)]).toEqual([
    'restart',
    'Shard 1 restarted',
    'Shard 1',
    '',
  ]);
});
