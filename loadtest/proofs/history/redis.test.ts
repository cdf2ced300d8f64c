// What Redis clients saw, written by hand: each history breaks one rule, or looks odd and breaks none.
import { describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { checkHistory } from './check.ts';
import { committedOf } from './committed.ts';
import { checkLinear } from './linear.ts';
import { Placing } from './placing.ts';
import { findInLogs, marksIn, type Logged } from './redis-marks.ts';
import { REDIS_LABEL, type RedisAttempt } from './redis.ts';
import { attempt, ok, operation, type Op } from './testing-attempts.ts';
import { checkWatched } from './watched.ts';

const VALUES = [1_000_001, 1_000_002, 1_000_003] as const;

/** One step of a Redis client. */
function step([call, end]: [number, number], ops: Op[], fields: Partial<RedisAttempt> = {}): RedisAttempt {
  const told = ops.map(operation);
  return { ...attempt({ label: REDIS_LABEL, call, return: end, ops: told }), marks: marksIn(told), ...fields };
}

const logged = (at: number, ...ops: Op[]): Logged => ({ id: `native:${at}`, at: BigInt(at), ops: ops.map(operation) });

const set = (key: string, value: number): Op => ['Register.set', key, [value]];
const get = (key: string, value: number | null): Op => ['Register.get', key, [], value];
const committed = (attempts: HistoryAttempt[]) => attempts.map((one) => committedOf(one, one.order!, new Set()));
const rules = (violations: readonly { rule: string }[]) => violations.map(({ rule }) => rule);

describe('what a Redis client changed', () => {
  it('gets the timestamp of the entry that has its marks', () => {
    const told = step([0, 9], [set('a', VALUES[0])]);
    const { attempts, violations } = findInLogs([told], [logged(5, set('a', VALUES[1])), logged(7, set('a', VALUES[0]))]);
    expect(violations).toEqual([]);
    expect(attempts).toMatchObject([{ id: 'native:7', order: '7', call: 0, return: 9 }]);
  });

  it('is known by what it took from a list, and by what it made of a counter', () => {
    const pop = step([0, 9], [['List.popBack', 'l', [1], [VALUES[0]]]]);
    const increase = step([0, 9], [['Register.incrementAndGet', 'r', [1], 3]]);
    const entries = [
      logged(1, ['List.pushFront', 'l', [[VALUES[0]]], 1]),
      logged(2, ...pop.ops.map(asOp)),
      logged(3, ...increase.ops.map(asOp)),
    ];
    expect(findInLogs([pop, increase], entries).attempts).toMatchObject([{ order: '2' }, { order: '3' }]);
  });

  it('must be in the logs if it was acknowledged', () => {
    expect(rules(findInLogs([step([0, 9], [set('a', VALUES[0])])], []).violations)).toEqual(['lost']);
  });

  it('must be one step', () => {
    const exec = step([0, 9], [set('a', VALUES[0]), set('b', VALUES[1])]);
    expect(rules(findInLogs([exec], [logged(5, set('a', VALUES[0])), logged(6, set('b', VALUES[1]))]).violations)).toEqual(['divided']);
    expect(rules(findInLogs([exec], [logged(5, set('a', VALUES[0]))]).violations), 'the half of it').toEqual(['divided']);
    const unknown = step([0, 9], exec.ops.map(asOp), { outcome: 'unknown' });
    expect(rules(findInLogs([unknown], [logged(5, set('a', VALUES[0]))]).violations), 'the half of one without a reply').toEqual([
      'divided',
    ]);
  });

  it('has not happened if it was refused', () => {
    const refused = step([0, 9], [set('a', VALUES[0])], { outcome: 'fail' });
    const { attempts } = findInLogs([refused], [logged(5, set('a', VALUES[0]))]);
    expect(rules(checkHistory(attempts, { committed: new Map([['native:5', '5']]), decided: true }).violations)).toEqual(['aborted']);
  });

  it('may have happened without a reply, and is then as the logs have it', () => {
    const unknown = step([0, 9], [['Register.exchange', 'a', [VALUES[0]]]], { outcome: 'unknown' });
    const entry = logged(5, ['Register.exchange', 'a', [VALUES[0]], 4]);
    expect(findInLogs([unknown], []).attempts).toEqual([unknown]);
    expect(findInLogs([unknown], [entry]).attempts).toMatchObject([{ id: 'native:5', outcome: 'unknown', ops: entry.ops }]);
  });

  it('sees what it has changed before, in the same step on one shard', () => {
    const exec = (seen: number) => ({ ...ok(5, [0, 9], set('a', 7), get('a', seen)), id: 'native:5', label: REDIS_LABEL });
    expect(checkHistory([exec(7)]).violations).toEqual([]);
    expect(rules(checkHistory([exec(8)]).violations)).toEqual(['result']);
    expect(checkLinear([exec(7)]).violations).toEqual([]);
    expect(rules(checkLinear([exec(8)]).violations)).toEqual(['linear']);
  });

  it('may make a record anew that it has deleted', () => {
    const exec = { ...ok(5, [2, 9], ['Register.delete', 'a', [], true], get('a', null), set('a', 8), ['Register.exists', 'a', [], true]) };
    expect(checkHistory([ok(1, [0, 1], set('a', 7)), { ...exec, id: 'native:5', label: REDIS_LABEL }]).violations).toEqual([]);
  });
});

describe('what a Redis client only observed', () => {
  const changes = [ok(10, [0, 1], set('a', 1)), ok(20, [4, 5], set('a', 2)), ok(30, [8, 9], set('a', 1))];
  const place = (...readers: HistoryAttempt[]) => {
    const placing = new Placing(committed(changes), new Map(), new Map());
    return { ...placing.place(readers), violations: rules(placing.violations) };
  };

  it('gets a timestamp at which it was so', () => {
    expect(place(step([5, 7], [get('a', 2)])).placed.map(({ order }) => Number(order))).toEqual([21]);
  });

  it('is refused if it was not so at any time that real time allows', () => {
    expect(place(step([6, 7], [get('a', 1)])).violations, 'not any more, or not yet').toEqual(['result']);
    expect(place(step([6, 7], [get('a', 3)])).violations, 'never').toEqual(['result']);
    expect(place(step([2, 3], [get('a', null)])).violations, 'acknowledged before').toEqual(['result']);
  });

  it('does not go back', () => {
    expect(place(step([4, 4.1], [get('a', 2)]), step([4.2, 4.3], [get('a', 1)])).violations).toEqual(['result']);
    expect(place(step([4, 4.1], [get('a', 1)]), step([4.2, 4.3], [get('a', 2)])).violations).toEqual([]);
  });

  it('must have been so at one time on all its records', () => {
    const both = (a: number, b: number | null) => step([0, 10], [get('a', a), get('b', b)]);
    const others = [...changes, ok(25, [6, 7], set('b', 5))].sort((x, y) => Number(x.order) - Number(y.order));
    const violations = (reader: HistoryAttempt) => {
      const placing = new Placing(committed(others), new Map(), new Map());
      placing.place([reader]);
      return rules(placing.violations);
    };
    expect(violations(both(2, 5))).toEqual([]);
    expect(violations(both(2, null))).toEqual([]);
    const late = ok(35, [9, 10], set('b', 6));
    others.push(late);
    expect(violations(both(2, 6))).toEqual(['result']);
  });

  it('stays without one if its records were so more than once', () => {
    const { placed, ambiguous, violations } = place(step([0, 10], [get('a', 1)]));
    expect([placed.length, ambiguous.length, violations.length]).toEqual([0, 1, 0]);
  });
});

describe('an EXEC behind a WATCH', () => {
  const exec = (fields: Partial<RedisAttempt> = {}) => ({
    ...step([6, 9], [get('a', 1), set('b', VALUES[0])], { watched: { keys: ['a'], sinceNs: 2 }, order: '20', ...fields }),
  });

  it('is refused if a change to the same value has come in between', () => {
    const change = ok(10, [3, 4], set('a', 1));
    expect(rules(checkWatched(committed([change, exec()])))).toEqual(['watched']);
  });

  it('is right if the change may have come before the WATCH, or came later, or to another key', () => {
    expect(checkWatched(committed([ok(10, [1, 4], set('a', 1)), exec()])), 'before').toEqual([]);
    expect(checkWatched(committed([exec(), ok(30, [3, 9], set('a', 1))])), 'later').toEqual([]);
    expect(checkWatched(committed([ok(10, [3, 4], set('c', 1)), exec()])), 'another').toEqual([]);
    expect(checkWatched(committed([ok(10, [3, 4], get('a', 1)), exec()])), 'only observed').toEqual([]);
  });
});

function asOp({ type, op, key, args, result }: HistoryAttempt['ops'][number]): Op {
  return result === undefined ? [`${type}.${op}`, key, args] : [`${type}.${op}`, key, args, result];
}
