// The bound on the waits of natives, on histories written by hand. The times are ms.
import { expect, test } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { attempt, native, operation } from '../history/testing-attempts.ts';
import { longNativeWaits } from './native-waits.ts';

const inNs = (one: HistoryAttempt): HistoryAttempt => ({ ...one, call: one.call * 1e6, return: one.return * 1e6 });
const waits = (...attempts: HistoryAttempt[]) => longNativeWaits(attempts.map(inNs)).map(({ rule }) => rule);

const write = (end: number) => native('app', [100, end], ['Register.set', 'r', [1]]);
const reader = (call: number, end: number, fields: Partial<HistoryAttempt> = {}) =>
  attempt({ call, return: end, ops: [operation(['Register.get', 'r', [], 1])], ...fields });

test('a native may wait for its patience, a guarded attempt and a margin', () => {
  expect(waits(write(155))).toEqual([]);
  expect(waits(write(157))).toEqual(['native wait']);
});

test('a native may wait for a transaction that began before its patience was over, however long that takes', () => {
  expect(waits(reader(90, 200), write(250))).toEqual([]);
  expect(waits(reader(101, 200), write(250))).toEqual([]);
  expect(waits(reader(90, 200), write(260))).toEqual(['native wait']);
  expect(waits(reader(90, 200, { ops: [operation(['Register.get', 'another', [], 1])] }), write(250))).toEqual(['native wait']);
});

test('a native may not wait for newcomers, unless they retry a transaction that began before', () => {
  expect(waits(reader(103, 200), write(205))).toEqual(['native wait']);
  const first = reader(90, 95, { transaction: 't', outcome: 'fail' });
  expect(waits(first, reader(103, 200, { transaction: 't' }), write(205))).toEqual([]);
});
