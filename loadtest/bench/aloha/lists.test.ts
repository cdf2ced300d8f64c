import { expect, test } from 'vitest';
import { randomFrom } from '../../kit/random.ts';
import { uniformly } from './lists.ts';

test('the records of a list are distinct', () => {
  const random = randomFrom(1);
  for (let i = 0; i < 100; i++) expect(new Set(uniformly({ random, size: 10, keys: 12 })).size).toBe(10);
});
