import { expect, test } from 'vitest';
import { unusual } from './conditions.ts';

test.each([
  [{ locks: 'abstract', phasing: true, combining: 'auto', warranties: 'auto' }, null],
  [{ locks: 'rw', phasing: true, combining: 'auto' }, 'reader/writer locks'],
  [{ locks: 'rw', phasing: false, combining: 'off' }, 'reader/writer locks, no phasing, no combining'],
  [{ locks: 'abstract', phasing: true, combining: 'later' }, 'combining: later'],
  [{}, null],
])('the words for %j are %j', (conditions, words) => {
  expect(unusual(conditions)).toBe(words);
});
