// Random histories of a real cluster pass. The same histories with one mistake inserted do not, if the mistake is observable.
// CLARET_SEEDS=200 runs two hundred storms of each kind.

import { beforeAll, describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { Chance } from '../../kit/random.ts';
import { checkHistory } from './check.ts';
import { mutations } from './testing-mutations.ts';
import { stormHistory, type StormOptions } from './testing-storm.ts';

const seeds = Number(process.env['CLARET_SEEDS'] ?? 3);

/** The share of mistakes that are found needs so many histories. */
const HISTORIES_MIN = 8;
/** So many copies of each history get a mistake. */
const COPIES = 5;
/** The check takes long for a copy if it has to refute every other order. */
const COPIES_OF_SLOW = 2;
const SLOW = ['timestamps of two that conflict exchanged', 'one that conflicts begun after the later one was acknowledged'];

describe('histories of a real cluster', () => {
  const kinds: [string, Omit<StormOptions, 'seed'>][] = [
    ['all types', {}],
    ['clocks 20 ms apart', { aheadMs: 20 }],
    ['reads of the past', { past: true, aheadMs: 5 }],
    ['clocks that never learn of each other', { aheadMs: 1_000, operationsMax: 1, workers: 24 }],
    ['one record of each type', { keysOfType: 1, workers: 32 }],
    ['sets alone', { aheadMs: 3, operations: ['Set.add', 'Set.remove', 'Set.size', 'Set.contains', 'Set.members'] }],
  ];
  it.each(kinds)('pass: %s', { timeout: 600_000 }, async (_name, options) => {
    let committed = 0;
    let conflicts = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const verdict = checkHistory(await stormHistory({ seed, ...options }));
      expect(verdict.violations, `seed ${seed}`).toEqual([]);
      committed += verdict.committed;
      conflicts += verdict.conflicts;
    }
    console.log(`${seeds} seeds: ${committed} committed, ${conflicts} conflicts where real time ran against timestamps`);
    expect(committed).toBeGreaterThan(seeds * 100);
  });
});

describe('a mistake put into a valid history', () => {
  const histories: HistoryAttempt[][] = [];
  beforeAll(async () => {
    for (let seed = 1; seed <= Math.max(HISTORIES_MIN, seeds); seed++) histories.push(await stormHistory({ seed, past: true }));
  });

  /** The least share of the mistakes without another explanation to be found: unobservable ones cannot be found. */
  const leastFound: Record<keyof typeof mutations, number> = {
    'two results swapped': 1,
    'a commit dropped': 0.6,
    'a commit doubled': 0.3,
    'timestamps of two that conflict exchanged': 0.9,
    'one that conflicts begun after the later one was acknowledged': 1,
    'a result of the past that is greater by one': 1,
    'moments of two reads of the past exchanged': 1,
    'an identifier given again': 1,
  };
  it.each(Object.keys(mutations))('is found: %s', { timeout: 600_000 }, (name) => {
    let made = 0;
    let found = 0;
    let explained = 0;
    for (const [index, history] of histories.entries()) {
      const seed = index + 1;
      const random = new Chance(seed);
      for (let i = 0; i < (SLOW.includes(name) ? COPIES_OF_SLOW : COPIES); i++) {
        const copy = structuredClone(history);
        if (!mutations[name]!(copy, random)) continue;
        made++;
        const verdict = checkHistory(copy);
        if (!verdict.ok) found++;
        else if (verdict.explained > 0) explained++;
        else if (leastFound[name] === 1) expect.fail(`seed ${seed}, mutation ${i}: not found`);
      }
    }
    console.log(`${name}: ${found} of ${made} found, ${explained} explained by another order`);
    expect(made).toBeGreaterThan(histories.length);
    expect(found / (made - explained)).toBeGreaterThanOrEqual(leastFound[name]!);
  });
});
