// Which lists are looked up in memory.

import { expect, it } from 'vitest';
import { Lookups } from './lookups.ts';

const wanted = (lookups: Lookups, label: string, times: number) => Array.from({ length: times }, () => lookups.wanted(label));

it('looks lists up as long as some of a label save a message, and then one in eight', () => {
  const lookups = new Lookups();
  for (let i = 0; i < 15; i++) lookups.lookedUp('Timeline', false);
  expect(wanted(lookups, 'Timeline', 8)).not.toContain(false);
  lookups.lookedUp('Timeline', false);
  expect(wanted(lookups, 'Timeline', 80).filter(Boolean)).toHaveLength(10);
  expect(wanted(lookups, 'Other', 8)).not.toContain(false);
});

it('looks each list of a label up again once one has saved a message', () => {
  const lookups = new Lookups();
  for (let i = 0; i < 100; i++) lookups.lookedUp('Timeline', false);
  lookups.lookedUp('Timeline', true);
  expect(wanted(lookups, 'Timeline', 8)).not.toContain(false);
});
