import { expect, test } from 'vitest';
import { areSame, conditionWords, shortConditionWords, WAYS } from './conditions.ts';

const combining = WAYS[3].conditions;

test('what goes beyond one of the ways is added in words; what is usual is not', () => {
  expect(shortConditionWords({ ...combining, warranties: 'off', epochs: 'auto', epoch_ms: 0 })).toBe('+ Combining');
  expect(shortConditionWords({ ...combining, epochs: 'off', epoch_ms: 20 })).toBe('+ Combining, no epochs');
  expect(shortConditionWords({ ...combining, warranties: 'auto', epochs: 'on', epoch_ms: 20 })).toBe(
    '+ Combining, warranties, epochs always, an epoch every 20 ms',
  );
  expect(conditionWords({ ...combining, epochs: 'on' })).toBe('commuting locks, phasing, combining, epochs always');
});

test('conditions with other epochs differ, unless one does not say', () => {
  expect(areSame({ ...combining, epochs: 'on' }, { ...combining, epochs: 'off' })).toBe(false);
  expect(areSame({ ...combining, epoch_ms: 20 }, { ...combining, epoch_ms: 0 })).toBe(false);
  expect(areSame({ ...combining, epochs: 'on' }, combining)).toBe(true);
});
