import { expect, it } from 'vitest';
import { unusual } from './conditionWords.ts';

it.each([
  [{ locks: 'abstract', phasing: true, combining: 'auto' }, null],
  [{ locks: 'rw', phasing: true, combining: 'auto' }, 'reader/writer locks'],
  [{ locks: 'rw', phasing: false, combining: 'off' }, 'reader/writer locks, no phasing, no combining'],
  [{ locks: 'none', phasing: true, combining: 'on' }, 'no locks, combining always on'],
])('the words for %j are %j', (conditions, words) => {
  expect(unusual(conditions)).toBe(words);
});
