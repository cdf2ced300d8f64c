// The natives of a lost session: which are answered, which are sent again, and which fail.
import { expect, test } from 'vitest';
import { descriptions } from '../descriptions.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Description } from '../operation/description.ts';
import type { NativesDone, Resumed } from '../wire/server-frame.ts';
import type { Native } from './native.ts';
import { UnsettledNatives } from './unsettled-natives.ts';

const IN_TIME_MS = 1_000;

/** Natives in flight when their session is lost, numbered from 1, and what becomes of each: its result, or the code of its error. */
function lost(...operations: (Description<unknown> & { dueMs?: number })[]) {
  const ends: unknown[] = operations.map(() => 'pending');
  const natives = operations.map((call, i): Native => {
    const end = (outcome: unknown) => (ends[i] = ends[i] === 'pending' ? outcome : ['twice', ends[i], outcome]);
    const reject = ({ code }: ClaretError) => end(code);
    return {
      call,
      issuedMs: 0,
      dueMs: call.dueMs ?? IN_TIME_MS,
      resolve: end,
      reject,
      executed: null,
      record: null,
      receipt: null,
      at: null,
      snapshot: null,
    };
  });
  const unsettled = new UnsettledNatives();
  unsettled.add(new Map(natives.map((native, i) => [i + 1, native])));
  const settle = (resumed: Resumed | null) => unsettled.settle(resumed, () => {}).map((native) => natives.indexOf(native) + 1);
  return { unsettled, ends, settle };
}

const done = (first: number, count: number, ...results: unknown[]): NativesDone =>
  ({ first, count, at: { high: 0, low: 1 }, results, waitedUs: 0 }) as NativesDone;

const stock = descriptions.boundedCounter('stock');
const ids = descriptions.uidGenerator('ids');
const due = (operation: Description<unknown>, dueMs: number) => Object.assign(operation, { dueMs });

test('an answer to several natives still fits those behind one whose time was over', () => {
  const { unsettled, ends, settle } = lost(due(ids.next(), 10), ids.next());
  unsettled.expire(20);
  unsettled.expire(30);
  expect(ends).toEqual(['outcome_unknown', 'pending']);
  expect(unsettled.size).toBe(1);
  expect(settle({ known: true, done: [done(1, 2, 'first', 'second')], failed: [] })).toEqual([]);
  expect(ends).toEqual(['outcome_unknown', 'second']);
});

test('a native whose time was over is not sent again', () => {
  const { unsettled, settle } = lost(due(stock.increment(1), 10), stock.increment(2));
  unsettled.expire(20);
  expect(settle({ known: true, done: [], failed: [] })).toEqual([2]);
  expect(unsettled.mayBeExecuted).toBe(false);
});

test('neither a read nor a refused change is sent again behind a later change of its record, whose time may be over', () => {
  const { unsettled, ends, settle } = lost(stock.value(), stock.decrement(1), due(stock.increment(1), 10), ids.next());
  unsettled.expire(20);
  expect(settle({ known: true, done: [done(3, 1)], failed: [] })).toEqual([4]);
  expect(ends).toEqual(['session_lost', 'session_lost', 'outcome_unknown', 'pending']);
});

test('a read that waited too long is not sent again behind a later read of its record that was executed', () => {
  const { ends, settle } = lost(stock.value(), stock.value(), ids.next());
  expect(settle({ known: true, done: [done(2, 1, 19)], failed: [] })).toEqual([3]);
  expect(ends).toEqual(['session_lost', 19, 'pending']);
});

test('where the session is not known, changes are unknown, and reads are sent again unless they may be overtaken', () => {
  const { ends, settle } = lost(stock.value(), stock.increment(1), stock.value(), ids.next());
  expect(settle({ known: false, done: [], failed: [] })).toEqual([3]);
  expect(ends).toEqual(['session_lost', 'outcome_unknown', 'pending', 'outcome_unknown']);
});
