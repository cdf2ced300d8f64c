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

test('other changes say all in their words', () => {
  const restart: Mark = { at_ms: 0, what: { shard_restarted: 1 } };
  expect([markKind(restart), markWords(restart), markAbbreviation(restart), markDetails(restart)]).toEqual([
    'restart',
    'Shard 1 restarted',
    'Shard 1',
    '',
  ]);
});
