import { expect, test } from 'vitest';
import { troubleOf } from './trouble.ts';

test('the trouble is the one that is nearest to the visitor', () => {
  expect(troubleOf('offline', false)).toBe('offline');
  expect(troubleOf('stale', false)).toBe('away');
  expect(troubleOf('live', false)).toBe('partly');
});

test('a live page, and one that is only being opened, has none', () => {
  expect(troubleOf('live', true)).toBeNull();
  expect(troubleOf('connecting', true)).toBeNull();
});
