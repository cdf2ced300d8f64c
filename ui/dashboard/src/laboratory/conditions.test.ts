import { expect, test } from 'vitest';
import { areSame, conditionWords, shortConditionWords, WAYS } from './conditions.ts';

const combining = WAYS[3].conditions;

test('what goes beyond one of the ways is added in words; what is usual is not', () => {
  expect(shortConditionWords({ ...combining, warranties: 'off' })).toBe('+ Combining');
  expect(shortConditionWords({ ...combining, warranties: 'auto' })).toBe('+ Combining, warranties');
  expect(conditionWords({ ...combining, warranties: 'auto' })).toBe('commuting locks, phasing, combining, warranties');
});

test('conditions with other warranties differ, unless one does not say', () => {
  expect(areSame({ ...combining, warranties: 'auto' }, { ...combining, warranties: 'off' })).toBe(false);
  expect(areSame({ ...combining, warranties: 'auto' }, combining)).toBe(true);
});
