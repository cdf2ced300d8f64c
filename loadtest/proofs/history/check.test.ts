// Hand-written histories: each breaks exactly one rule, or looks odd and breaks none.

import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { checkHistory, type Logs } from './check.ts';
import { Past } from './past.ts';
import { attempt, ok, operation } from './testing-attempts.ts';

const rules = (attempts: HistoryAttempt[], logs?: Logs) => checkHistory(attempts, logs).violations.map(({ rule }) => rule);

describe('the check refuses', () => {
  it('a result that the order of timestamps does not yield', () => {
    const history = [
      ok(1, [0, 10], ['Counter.add', 'c', [2]]),
      ok(2, [20, 30], ['Counter.add', 'c', [3]]),
      ok(3, [40, 50], ['Counter.value', 'c', [], 2]),
    ];
    const { violations } = checkHistory(history);
    expect(violations).toMatchObject([{ rule: 'result', attempts: [history[2]!.id] }]);
    expect(violations[0]!.text).toContain('Counter.value() on c → 2, but in timestamp order it is 5');
    expect(violations[0]!.text.split('\n')).toHaveLength(4);
    expect(violations[0]!.text).toMatch(/ {4}@2 T [\da-f]{8} of p: Counter\.add\(3\) on c/);
  });

  it('a transaction that reads its own write', () => {
    expect(rules([ok(1, [0, 9], ['Set.add', 's', ['x']], ['Set.contains', 's', ['x'], true])])).toEqual(['result']);
  });

  it('an effect of an attempt that failed', () => {
    const failed = attempt({ outcome: 'fail', ops: [operation(['Register.set', 'r', ['dirty']])] });
    expect(rules([failed, ok(1, [20, 30], ['Register.get', 'r', [], 'dirty'])])).toEqual(['result']);
  });

  it('a commit of an operation that the type refuses', () => {
    const history = [ok(1, [0, 9], ['BoundedCounter.increment', 'b', [2]]), ok(2, [10, 19], ['BoundedCounter.decrement', 'b', [3]])];
    expect(rules(history)).toEqual(['result']);
  });

  it('an identifier that was already returned', () => {
    const next = (order: number): HistoryAttempt => ok(order, [order * 10, order * 10 + 5], ['UIdGenerator.next', 'u', [], '1-1']);
    expect(rules([next(1), next(2)])).toEqual(['fresh']);
  });

  it('a stale read: earlier acknowledged writes must be seen', () => {
    // The read began after the write was acknowledged, did not see it, and got a timestamp that hides that.
    const history = [ok(7, [0, 10], ['Set.add', 's', ['x']]), ok(3, [20, 30], ['Set.size', 's', [], 0])];
    const { violations } = checkHistory(history);
    expect(violations).toMatchObject([{ rule: 'order' }]);
    expect(violations[0]!.text).toContain('a cycle of 2 transactions');
    expect(violations[0]!.text).toContain('Set.size() on s → 0\n        is earlier than Set.add("x") on s');
    expect(violations[0]!.text).toContain('was acknowledged at 10 ns, and at 20 ns began');
  });

  it('a cycle through a third transaction without a constraint in real time', () => {
    const history = [
      ok(1, [50, 60], ['Register.get', 'x', [], null]),
      ok(2, [0, 90], ['Register.set', 'x', [1]], ['Register.get', 'y', [], null]),
      ok(3, [5, 30], ['Register.set', 'y', [1]]),
    ];
    // 1 sees x before 2, 2 sees y before 3, and 3 was acknowledged before 1 began.
    const { violations } = checkHistory(history);
    expect(violations).toMatchObject([{ rule: 'order', attempts: history.map(({ id }) => id) }]);
    expect(violations[0]!.text).toContain('a cycle of 3 transactions');
    for (const left of history) expect(rules(history.filter((other) => other !== left))).toEqual([]);
  });

  it('an acknowledged attempt without a timestamp, and one that changes something and another one with the same', () => {
    expect(rules([attempt({ ops: [operation(['Counter.add', 'c', [1]])] })])).toContain('timestamp');
    expect(rules([ok(1, [0, 9], ['Counter.add', 'c', [1]]), ok(1, [0, 9], ['Counter.add', 'd', [1]])])).toEqual(['timestamp']);
    const read = (key: string) => ok(1, [0, 9], ['Counter.value', key, [], 0]);
    expect(rules([read('c'), ok(1, [0, 9], ['Counter.add', 'd', [1]]), read('c')])).toContain('timestamp');
    expect(rules([read('c'), read('c'), read('d')]), 'of which none changes anything').toEqual([]);
  });

  it('a commit with another timestamp in the logs, one missing in the logs, and one of an attempt reported as failed', () => {
    const add = ok(1, [0, 9], ['Counter.add', 'c', [1]]);
    expect(rules([add], { committed: new Map([[add.id, '2']]) })).toEqual(['timestamp']);
    expect(rules([add], { committed: new Map(), decided: true })).toEqual(['lost']);
    expect(rules([add], { committed: new Map() })).toEqual([]);
    const failed = attempt({ outcome: 'fail', ops: add.ops });
    expect(rules([failed], { committed: new Map([[failed.id, '3']]), decided: true })).toEqual(['aborted']);
  });

  it('two attempts of one transaction', () => {
    const first = ok(1, [0, 9], ['Counter.add', 'c', [1]]);
    const second = { ...ok(2, [10, 19], ['Counter.add', 'c', [1]]), transaction: first.id };
    expect(rules([first, second])).toEqual(['twice']);
  });

  it('a result that a missed conflict made impossible: both took the last item', () => {
    const history = [
      ok(1, [0, 9], ['BoundedCounter.increment', 'b', [1]]),
      ok(2, [10, 20], ['BoundedCounter.tryDecrement', 'b', [1], true]),
      ok(3, [10, 20], ['BoundedCounter.tryDecrement', 'b', [1], true]),
    ];
    expect(rules(history)).toEqual(['result']);
  });
});

describe('a history in parts', () => {
  /** The rules that each part violates. */
  const rulesOfParts = (...parts: HistoryAttempt[][]) => {
    const before = { states: new Map(), given: new Map(), past: new Past() };
    return parts.map((attempts) => checkHistory(attempts, {}, before).violations.map(({ rule }) => rule));
  };
  let set: HistoryAttempt;
  beforeEach(() => void (set = ok(7, [0, 10], ['Register.set', 'r', [1]])));

  it('has a result that only the previous part explains, or contradicts', () => {
    expect(rulesOfParts([set], [ok(9, [20, 30], ['Register.get', 'r', [], 1])])).toEqual([[], []]);
    expect(rulesOfParts([set], [ok(9, [20, 30], ['Register.get', 'r', [], null])])).toEqual([[], ['result']]);
  });

  it('has a timestamp before that of an ended transaction on the same record', () => {
    expect(rulesOfParts([set], [ok(3, [20, 30], ['Register.get', 'r', [], 1])])).toEqual([[], ['order']]);
    expect(rulesOfParts([ok(7, [0, 10], ['Register.get', 'r', [], null])], [ok(3, [20, 30], ['Register.set', 'r', [1]])])).toEqual([
      [],
      ['order'],
    ]);
  });

  it('may have a timestamp before that of a change that left alone what a warranty has answered', () => {
    const added = [ok(5, [0, 10], ['Set.add', 's', ['x']]), ok(7, [0, 10], ['Set.add', 's', ['y']])];
    const looked = (result: boolean): HistoryAttempt => {
      const attempt = ok(6, [20, 30], ['Set.contains', 's', ['x'], result]);
      return { ...attempt, ops: attempt.ops.map((op) => ({ ...op, via: 'warranty' })) };
    };
    expect(rulesOfParts(added, [looked(true)])).toEqual([[], []]);
    expect(rulesOfParts(added, [looked(false)])).toEqual([[], ['result']]);
    expect(rulesOfParts([added[0]!, { ...looked(true), call: 12, return: 15 }], [ok(3, [20, 30], ['Set.add', 's', ['z']])])).toEqual([
      [],
      ['order'], // not that of the look
    ]);
    expect(rulesOfParts([{ ...looked(false), call: 0, return: 5 }], [ok(3, [20, 30], ['Set.add', 's', ['z']])])).toEqual([[], []]);
  });

  it('may have timestamps in any order on different records, of reads, and of concurrent transactions', () => {
    expect(rulesOfParts([set], [ok(3, [20, 30], ['Register.get', 'q', [], null])])).toEqual([[], []]);
    const read = (order: number, from: number) => ok(order, [from, from + 5], ['Register.get', 'r', [], null]);
    expect(rulesOfParts([read(7, 0)], [read(3, 20)])).toEqual([[], []]);
    expect(rulesOfParts([set], [ok(3, [5, 30], ['Register.get', 'r', [], 1])])).toEqual([[], []]);
  });

  it('returns an identifier again, or has the second attempt of a transaction', () => {
    const next = (order: number) => ok(order, [order * 10, order * 10 + 5], ['UIdGenerator.next', 'u', [], '1-1']);
    expect(rulesOfParts([next(1)], [next(2)])).toEqual([[], ['fresh']]);
    const again = { ...ok(9, [20, 30], ['Register.set', 'r', [1]]), transaction: set.transaction };
    expect(rulesOfParts([set], [again])).toEqual([[], ['twice']]);
    expect(rulesOfParts([set], [], [again])).toEqual([[], [], ['twice']]);
  });
});

describe('the check accepts', () => {
  it('an empty history, and attempts without operations', () => {
    expect(rules([])).toEqual([]);
    expect(rules([attempt({ order: '0' }), attempt({ order: '0' }), attempt({ outcome: 'unknown' })])).toEqual([]);
  });

  it('commuting adds against real time', () => {
    expect(
      rules([
        ok(9, [0, 10], ['Counter.add', 'c', [1]], ['Set.add', 's', ['x']]),
        ok(4, [20, 30], ['Counter.add', 'c', [2]], ['Set.add', 's', ['y']]),
        ok(2, [40, 50], ['Counter.add', 'c', [3]], ['Set.add', 's', ['y']]),
        ok(10, [60, 70], ['Counter.value', 'c', [], 6], ['Set.size', 's', [], 2]),
      ]),
    ).toEqual([]);
  });

  it('unrelated transactions against real time: shards have clocks of their own', () => {
    expect(rules([ok(100, [0, 10], ['Register.set', 'a', [1]]), ok(7, [20, 30], ['Register.set', 'b', [1]])])).toEqual([]);
  });

  it('concurrent reads, and a read concurrent with an add of an existing member', () => {
    expect(
      rules([
        ok(1, [0, 10], ['Set.add', 's', ['x']]),
        ok(6, [20, 30], ['Set.size', 's', [], 1]),
        ok(3, [40, 50], ['Set.add', 's', ['x']]),
        ok(2, [60, 70], ['Set.size', 's', [], 1]),
      ]),
    ).toEqual([]);
  });

  it('reads and writes with the same timestamp if neither waited for the other', () => {
    expect(rules([ok(5, [0, 50], ['Register.set', 'r', [1]]), ok(4, [10, 60], ['Register.get', 'r', [], null])])).toEqual([]);
  });

  it('retries after a wound: the results of the first attempt do not count', () => {
    const first = attempt({ outcome: 'fail', error: 'wounded', ops: [operation(['Counter.value', 'c', [], 7])] });
    expect(rules([first, { ...ok(1, [5, 9], ['Counter.value', 'c', [], 0], ['Counter.add', 'c', [1]]), transaction: first.id }])).toEqual(
      [],
    );
  });

  it("an escrowed amount of the transaction's own", () => {
    expect(
      rules([
        ok(
          1,
          [0, 9],
          ['BoundedCounter.increment', 'b', [1]],
          ['BoundedCounter.tryDecrement', 'b', [1], true],
          ['BoundedCounter.value', 'b', [], 0],
        ),
      ]),
    ).toEqual([]);
  });

  it('an outcome known only from the logs, with or without the results', () => {
    const lost = attempt({ outcome: 'unknown', call: 0, return: 900, ops: [operation(['Register.compareAndSet', 'r', [null, 5]])] });
    const read = ok(4, [30, 40], ['Register.get', 'r', [], 5]);
    expect(rules([lost, read], { committed: new Map([[lost.id, '3']]), decided: true })).toEqual([]);
    expect(rules([lost, read], { committed: new Map(), decided: true })).toEqual(['result']);
    expect(rules([lost, ok(4, [30, 40], ['Register.get', 'r', [], null])], { committed: new Map(), decided: true })).toEqual([]);
  });

  it('any result of records whose last change is unknown, and counts the attempts', () => {
    const lost = attempt({ outcome: 'unknown', ops: [operation(['Register.set', 'r', [5]])] });
    const looked = attempt({ outcome: 'unknown', ops: [operation(['Register.get', 'q', [], 77])] });
    const verdict = checkHistory([lost, looked, ok(4, [30, 40], ['Register.get', 'r', [], 5])]);
    expect(verdict).toMatchObject({ ok: true, undecided: 1 });
  });

  it('a cycle of the graph that another order explains', () => {
    // At one shard both 6 and 7 add x, so 8 sees x whichever came first; at a slow shard 3 comes before 6. The graph blames 6 for
    // the result of 8, although 7 suffices: in the order 7, 8, 3, 6 all results are right.
    const history = [
      ok(6, [0, 90], ['Set.add', 's', ['x']], ['Register.set', 'r', [6]]),
      ok(7, [0, 10], ['Set.add', 's', ['x']]),
      ok(8, [20, 30], ['Set.size', 's', [], 1]),
      ok(3, [40, 50], ['Register.get', 'r', [], null]),
    ];
    expect(checkHistory(history)).toMatchObject({ ok: true, explained: 1 });
    // Without 7 there is no such order.
    expect(rules(history.filter(({ order }) => order !== '7'))).toEqual(['order']);
  });
});
