// Hand-written histories of snapshot transactions: each breaks one rule, or looks odd and breaks none.
import { describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { checkHistory } from './check.ts';
import { Snapshots } from './snapshots.ts';
import { ok, type Op } from './testing-attempts.ts';

const rules = (attempts: HistoryAttempt[]) => checkHistory(attempts).violations.map(({ rule }) => rule);

/** Committed at `order`, of the snapshot `at`; its transaction began with it. */
const of = (at: number, order: number, times: [number, number], ...ops: Op[]): HistoryAttempt => ({
  ...ok(order, times, ...ops),
  snapshot: String(at),
  begun: times[0],
});

const add = (order: number, times: [number, number], by = 1) => ok(order, times, ['Counter.add', 'c', [by]]);
const value = (result: number): Op => ['Counter.value', 'c', [], result];
const get = (key: string, result: string | null): Op => ['Register.get', key, [], result];
const set = (key: string, to: string): Op => ['Register.set', key, [to]];

describe('the check refuses a snapshot', () => {
  it('with something that committed later', () => {
    expect(rules([add(10, [0, 5]), add(20, [6, 9]), of(15, 15, [5, 8], value(2))])).toEqual(['snapshot']);
  });

  it('without something that committed before it', () => {
    expect(rules([add(10, [0, 30]), of(15, 15, [5, 8], value(0))])).toEqual(['snapshot']);
  });

  it('without what was acknowledged before its transaction began', () => {
    expect(rules([add(20, [0, 5]), of(15, 15, [6, 8], value(0))])).toEqual(['snapshot']);
    expect(rules([add(20, [0, 7]), of(15, 15, [6, 8], value(0))]), 'acknowledged later').toEqual([]);
  });

  it('that missed what was acknowledged in an earlier part', () => {
    const before = { states: new Map(), snapshots: new Snapshots() };
    checkHistory([add(20, [0, 5])], {}, before);
    expect(checkHistory([of(15, 15, [6, 8], value(0))], {}, before).violations).toMatchObject([{ rule: 'snapshot' }]);
    expect(checkHistory([of(25, 25, [6, 8], value(1))], {}, before).violations).toEqual([]);
  });

  it('that changes what another has changed since', () => {
    const first = ok(20, [3, 6], set('r', 'first'));
    const second = of(10, 30, [1, 9], get('r', null), set('r', 'second'));
    expect(rules([first, second])).toEqual(['overtaken']);
  });
});

describe('the check accepts', () => {
  it('an old state beside later commits', () => {
    expect(rules([add(10, [0, 5]), add(20, [6, 9]), add(30, [7, 9]), of(15, 15, [6, 12], value(1))])).toEqual([]);
  });

  it('changes that commute with what has changed since', () => {
    expect(rules([add(20, [3, 6]), of(10, 30, [1, 9], value(0), ['Counter.add', 'c', [2]])])).toEqual([]);
  });

  it('write skew', () => {
    const leave = (own: string, order: number) => of(10, order, [20, 40], get('a', 'on'), get('b', 'on'), set(own, 'off'));
    expect(rules([ok(5, [0, 9], set('a', 'on'), set('b', 'on')), leave('a', 30), leave('b', 31)])).toEqual([]);
  });
});
