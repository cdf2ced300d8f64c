import { expect, test } from 'vitest';
import { troubleWords } from './connectionWords.ts';

test('a notice says what is away, what to expect meanwhile, and that it is tried again', () => {
  expect(troubleWords('away', 'Bids may fail.')).toBe('The site can’t be reached. Bids may fail. Trying again…');
  expect(troubleWords('partly', 'Bids may fail.')).toBe('Part of the site can’t be reached. Bids may fail. Trying again…');
});

test('a visitor without a network is not told that the site is away', () => {
  expect(troubleWords('offline', 'Bids may fail.')).not.toContain('site');
});
