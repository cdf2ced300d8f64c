// The linearizability check: histories written by hand, small random histories against all permutations, and histories of a real
// cluster with and without a mistake. CLARET_SEEDS=200 tries more of the random ones.

import { describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { Chance } from '../../kit/random.ts';
import { checkLinear } from './linear.ts';
import { modelOf } from './models/index.ts';
import { bruteForce, corrupted, smallHistory } from './testing-linear.ts';
import { attempt, native, ok, operation } from './testing-attempts.ts';
import { mutations } from './testing-mutations.ts';
import { stormHistory } from './testing-storm.ts';

const seeds = Number(process.env['CLARET_SEEDS'] ?? 8);

const rules = (...args: Parameters<typeof checkLinear>) => {
  const { violations, undecided } = checkLinear(...args);
  expect(undecided).toEqual([]);
  return violations.map(({ rule }) => rule);
};

const isLinear = (history: HistoryAttempt[]) => rules(history).length === 0;

describe('the search refuses', () => {
  it('a stale read', () => {
    const write = ok(1, [0, 10], ['Register.set', 'r', ['new']]);
    expect(isLinear([write, ok(2, [20, 30], ['Register.get', 'r', [], null])])).toBe(false);
    expect(isLinear([write, ok(2, [5, 30], ['Register.get', 'r', [], null])])).toBe(true);
  });

  it('a read of a value that a later read no longer sees', () => {
    const write = ok(1, [0, 100], ['Register.set', 'r', ['new']]);
    expect(isLinear([write, ok(2, [10, 20], ['Register.get', 'r', [], 'new']), ok(3, [30, 40], ['Register.get', 'r', [], null])])).toBe(
      false,
    );
    expect(isLinear([write, ok(2, [10, 20], ['Register.get', 'r', [], null]), ok(3, [30, 40], ['Register.get', 'r', [], 'new'])])).toBe(
      true,
    );
  });

  it('a lost update', () => {
    const take = (call: number) => ok(call, [call, 100], ['BoundedCounter.tryDecrement', 'b', [1], true]);
    const put = ok(1, [0, 1], ['BoundedCounter.increment', 'b', [1]]);
    expect(isLinear([put, take(10), take(20)])).toBe(false);
    expect(isLinear([put, take(10)])).toBe(true);
    const adds = [ok(2, [10, 90], ['Counter.add', 'c', [1]]), ok(3, [20, 80], ['Counter.add', 'c', [1]])];
    expect(isLinear([...adds, ok(4, [95, 99], ['Counter.value', 'c', [], 1])])).toBe(false);
    expect(isLinear([...adds, ok(4, [95, 99], ['Counter.value', 'c', [], 2])])).toBe(true);
  });

  it('natives of one process on one record in another order than they were issued', () => {
    const write = native('app', [10, 100], ['Register.set', 'r', ['own']]);
    expect(isLinear([write, native('app', [11, 100], ['Register.get', 'r', [], null])])).toBe(false);
    expect(isLinear([native('app', [9, 100], ['Register.get', 'r', [], 'own']), write])).toBe(false);
    expect(isLinear([write, native('other', [11, 100], ['Register.get', 'r', [], null])])).toBe(true);
    expect(isLinear([write, native('app', [11, 100], ['Register.get', 'r', [], 'own'])])).toBe(true);
    expect(isLinear([write, native('app', [11, 100], ['Register.get', 'another', [], null])])).toBe(true);
    expect(isLinear([write, native('app', [10, 100], ['Register.get', 'r', [], null])])).toBe(true);
    expect(isLinear([write, { ...native('app', [11, 100], ['Register.get', 'r', [], null]), label: 'Transaction' }])).toBe(true);
  });

  it('a transaction whose visits to a record are divided by another access', () => {
    const pair = (size: number, contains: boolean) => ok(1, [0, 50], ['Set.size', 's', [], size], ['Set.contains', 's', ['x'], contains]);
    const add = ok(2, [10, 40], ['Set.add', 's', ['x']]);
    expect(isLinear([pair(0, true), add])).toBe(false);
    expect(isLinear([pair(1, false), add])).toBe(false);
    expect(isLinear([pair(0, false), add])).toBe(true);
    expect(isLinear([pair(1, true), add])).toBe(true);
  });

  it('an operation that the type refuses in every order', () => {
    expect(isLinear([ok(1, [0, 50], ['BoundedCounter.increment', 'b', [2]]), ok(2, [0, 50], ['BoundedCounter.decrement', 'b', [3]])])).toBe(
      false,
    );
  });

  it('what no timestamp shows: they are not looked at', () => {
    expect(isLinear([ok(9, [0, 10], ['Register.set', 'r', ['new']]), ok(3, [20, 30], ['Register.get', 'r', [], null])])).toBe(false);
    expect(isLinear([ok(9, [0, 10], ['Register.set', 'r', ['new']]), ok(3, [20, 30], ['Register.get', 'r', [], 'new'])])).toBe(true);
  });

  it('and says where it came no further', () => {
    const history = [ok(1, [0, 10], ['Register.set', 'r', ['new']]), ok(2, [20, 30], ['Register.get', 'r', [], null])];
    const { violations, records } = checkLinear(history);
    expect(records).toBe(1);
    expect(violations[0]!.text).toBe(
      'no order of the 2 accesses to Register r explains them: after at most 1, none of these can come next:\n' +
        '    p T, 20 to 30 ns: Register.get() on r → null',
    );
  });
});

describe('an attempt without an answer', () => {
  const lost = attempt({ outcome: 'unknown', call: 10, return: 20, ops: [operation(['Counter.add', 'c', [1]])] });
  const reads = (...values: number[]) => values.map((value, i) => ok(i, [100 + 10 * i, 105 + 10 * i], ['Counter.value', 'c', [], value]));

  it('may have taken effect at any time after its call, or never', () => {
    expect(isLinear([lost, ...reads(0, 0)])).toBe(true);
    expect(isLinear([lost, ...reads(0, 1)])).toBe(true);
    expect(isLinear([lost, ...reads(1, 1)])).toBe(true);
    expect(isLinear([lost, ...reads(1, 0)])).toBe(false);
    expect(isLinear([lost, ...reads(2)])).toBe(false);
    expect(isLinear([lost, ok(1, [0, 5], ['Counter.value', 'c', [], 1])])).toBe(false);
  });

  it('has taken effect once at most if the logs have it, and has not if complete logs lack it', () => {
    const committed = new Map([[lost.id, '5']]);
    const verdict = (values: number[], logs: Parameters<typeof checkLinear>[1]) => rules([lost, ...reads(...values)], logs);
    expect(verdict([0, 1], { committed, decided: true })).toEqual([]);
    expect(verdict([2], { committed, decided: true })).toEqual(['linear']);
    expect(verdict([1], { committed: new Map(), decided: true })).toEqual(['linear']);
    expect(verdict([0], { committed: new Map(), decided: true })).toEqual([]);
  });

  it('failed: it has no effect', () => {
    expect(isLinear([{ ...lost, outcome: 'fail' }, ...reads(1)])).toBe(false);
  });
});

it('a history may begin with records that are not empty', () => {
  const register = modelOf('Register');
  register.commit('set', ['old'], undefined);
  const history = [ok(1, [0, 10], ['Register.set', 'r', ['new']]), ok(2, [0, 10], ['Register.get', 'r', [], 'old'])];
  expect(rules(history, {}, { states: new Map([['Register r', register]]) })).toEqual([]);
  expect(isLinear(history)).toBe(false);
  expect(register.execute('get', [], [])).toBe('old');
});

it('a search without steps is given up, and counted', () => {
  const history = [ok(1, [0, 10], ['Register.set', 'r', ['new']]), ok(2, [0, 10], ['Counter.add', 'c', [1]])];
  expect(checkLinear(history, {}, { steps: 1 })).toMatchObject({ violations: [], records: 2, undecided: ['Counter c'] });
  expect(checkLinear(history, {}, { only: new Set(['Counter c']) })).toMatchObject({ records: 1, undecided: [] });
});

describe('small random histories', () => {
  it('are accepted exactly if one of all permutations explains them', () => {
    const counts = { accepted: 0, refused: 0 };
    for (let seed = 1; seed <= 100 * seeds; seed++) {
      const chance = new Chance(seed);
      const valid = smallHistory(chance);
      expect(rules(valid), `seed ${seed}`).toEqual([]);
      const wrong = corrupted(valid, chance);
      const explained = bruteForce(wrong);
      expect(rules(wrong), `seed ${seed}, corrupted: ${JSON.stringify(wrong)}`).toEqual(explained ? [] : ['linear']);
      counts[explained ? 'accepted' : 'refused']++;
    }
    console.log(`seeds 1 to ${100 * seeds}, corrupted: ${counts.refused} refused, ${counts.accepted} explained by another order`);
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(10 * seeds);
  });
});

describe('histories of a real cluster', () => {
  it.each([
    ['all types', {}],
    ['one record of each type', { keysOfType: 1, workers: 32 }],
    ['clocks that never learn of each other', { aheadMs: 1_000, operationsMax: 1, workers: 24 }],
  ])('pass: %s', { timeout: 600_000 }, async (_name, options) => {
    for (let seed = 1; seed <= seeds; seed++) expect(rules(await stormHistory({ seed, ...options })), `seed ${seed}`).toEqual([]);
  });

  it.each(['two results swapped', 'a commit dropped', 'one that conflicts begun after the later one was acknowledged'])(
    'do not pass with a mistake: %s',
    { timeout: 600_000 },
    async (name) => {
      let made = 0;
      let found = 0;
      for (let seed = 1; seed <= seeds; seed++) {
        const history = await stormHistory({ seed });
        const chance = new Chance(seed);
        for (let i = 0; i < 5; i++) {
          const copy = structuredClone(history);
          if (!mutations[name]!(copy, chance)) continue;
          made++;
          if (rules(copy).length > 0) found++;
        }
      }
      console.log(`${name}: ${found} of ${made} found, seeds 1 to ${seeds}`);
      expect(found / made).toBeGreaterThan(0.4);
    },
  );
});
