// Hand-written histories with reads of the past: each breaks one rule, or looks odd and breaks none.
import { describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { AsOf } from './as-of.ts';
import { checkHistory } from './check.ts';
import { checkLinear } from './linear.ts';
import { attempt, ok, type Op } from './testing-attempts.ts';

const rules = (attempts: HistoryAttempt[]) => checkHistory(attempts).violations.map(({ rule }) => rule);

/** Read as of `at`. */
const of = (at: number, times: [number, number], ...ops: Op[]): HistoryAttempt => ({ ...ok(at, times, ...ops), as_of: String(at) });

const add = (order: number, times: [number, number], by = 1) => ok(order, times, ['Counter.add', 'c', [by]]);
const value = (result: number): Op => ['Counter.value', 'c', [], result];

/** Adds of which one commits at 10, another one at 20. */
const adds = () => [add(10, [0, 5]), add(20, [6, 9])];

describe('the check refuses a read of the past', () => {
  it('with something that committed later', () => {
    expect(rules([...adds(), of(15, [30, 40], value(2))])).toEqual(['past']);
    expect(rules([...adds(), of(19, [30, 40], value(2))])).toEqual(['past']);
  });

  it('without something that had committed', () => {
    expect(rules([...adds(), of(15, [30, 40], value(0))])).toEqual(['past']);
    expect(rules([...adds(), of(20, [30, 40], value(1))]), 'at that very moment').toEqual(['past']);
  });

  it('without the change of one that is committed in the logs alone', () => {
    const unknown = { ...add(0, [0, Infinity]), outcome: 'unknown' as const, order: undefined };
    const logs = { committed: new Map([[unknown.id, '12']]), decided: true };
    expect(checkHistory([unknown, of(15, [30, 40], value(0))], logs).violations).toMatchObject([{ rule: 'past' }]);
    expect(checkHistory([unknown, of(15, [30, 40], value(1))], logs).violations).toEqual([]);
  });

  it('with one wrong result among right ones, and names it', () => {
    const wrong = of(15, [30, 40], value(2));
    const { violations } = checkHistory([...adds(), of(9, [30, 40], value(0)), of(15, [30, 40], value(1)), wrong]);
    expect(violations).toMatchObject([{ rule: 'past', attempts: [wrong.id] }]);
    expect(violations[0]!.text).toContain('Counter.value() on c → 2, but it was 1');
  });

  it('that should have been refused', () => {
    expect(rules([...adds(), of(15, [30, 40], ['TopK.top', 't', [0], []])])).toEqual(['past']);
  });

  it('that was told another timestamp', () => {
    expect(rules([...adds(), { ...of(15, [30, 40], value(1)), order: '20' }])).toEqual(['timestamp']);
  });

  it('of a moment of the part before', () => {
    const before = { states: new Map(), asOf: new AsOf() };
    expect(checkHistory([...adds(), add(30, [10, 12])], {}, before).violations).toEqual([]);
    const later = [of(15, [30, 40], value(1)), of(25, [30, 40], value(3)), of(35, [30, 40], value(3)), of(45, [30, 40], value(4))];
    const { violations } = checkHistory([add(40, [20, 25]), ...later], {}, before);
    expect(violations).toMatchObject([{ rule: 'past', attempts: [later[1]!.id] }]);
    expect(before.asOf).toMatchObject({ judged: 4, beyond: 0 });
  });
});

describe('the check accepts', () => {
  it('an old state long after newer ones were acknowledged', () => {
    const reads = [of(9, [30, 40], value(0)), of(10, [30, 40], value(1)), of(19, [30, 40], value(1)), of(20, [30, 40], value(2))];
    expect(rules([...adds(), ...reads])).toEqual([]);
    expect(checkLinear([...adds(), ...reads]).violations).toEqual([]);
  });

  it('the same moment as that of a commit, and several reads of one moment', () => {
    expect(rules([...adds(), of(10, [30, 40], value(1)), of(10, [31, 41], value(1))])).toEqual([]);
  });

  it('a moment that is yet to come, if nothing commits before it later', () => {
    expect(rules([...adds(), of(25, [7, 8], value(2)), add(30, [20, 21])])).toEqual([]);
    expect(rules([...adds(), of(25, [7, 8], value(2)), add(24, [20, 21])])).toEqual(['past']);
  });

  it('reads that failed', () => {
    expect(rules([...adds(), { ...attempt({ outcome: 'fail', error: 'history_gone' }), as_of: '15' }])).toEqual([]);
  });

  it('what it cannot know any more, and counts it', () => {
    const before = { states: new Map(), asOf: new AsOf() };
    checkHistory([add(10, [0, 5])], {}, before);
    checkHistory([add(20, [6, 9])], {}, before);
    const reads = [of(9, [30, 40], value(7)), of(10, [30, 40], value(1)), of(19, [30, 40], value(1)), of(20, [30, 40], value(2))];
    expect(checkHistory(reads, {}, before).violations).toEqual([]);
    expect(before.asOf).toMatchObject({ judged: 3, beyond: 1 });
    expect(checkHistory([of(30, [50, 60], value(1))], {}, before).violations, 'unchanged since').toMatchObject([{ rule: 'past' }]);
  });
});
