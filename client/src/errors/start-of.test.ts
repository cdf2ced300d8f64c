import { expect, test } from 'vitest';
import { startOf } from './start-of.ts';

test('a text is cut between its characters, never within one', () => {
  expect(startOf('price', 3)).toBe('pri');
  expect(startOf('price', 9)).toBe('price');
  expect(startOf('a😀b', 2)).toBe('a');
  expect(startOf('a😀b', 3)).toBe('a😀');
  expect(startOf('a😀', 3)).toBe('a😀');
});
