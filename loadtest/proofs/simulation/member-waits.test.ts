// The bound on the waits of members of epochs, on histories written by hand. The times are ms.
import { expect, test } from 'vitest';
import type { HistoryAttempt } from '@claret/client';
import { attempt, native, operation } from '../history/testing-attempts.ts';
import { memberWaits } from './member-waits.ts';
import { run } from './run.ts';

const inNs = (one: HistoryAttempt): HistoryAttempt => ({ ...one, call: one.call * 1e6, return: one.return * 1e6 });
const judge = (...attempts: HistoryAttempt[]) => memberWaits(attempts.map(inNs));
const waits = (...attempts: HistoryAttempt[]) => judge(...attempts).violations.map(({ rule }) => rule);

const one = (label: string, call: number, end: number, key = 'r', fields: Partial<HistoryAttempt> = {}) =>
  attempt({
    label,
    call,
    return: end,
    ops: [operation(['Register.get', key, [], 1])],
    ...(label === 'List' && { epoch: true }),
    ...fields,
  });

test('a member may wait for two intervals and a margin', () => {
  expect(waits(one('List', 100, 250))).toEqual([]);
  expect(waits(one('List', 100, 251))).toEqual(['member wait']);
  expect(waits(one('List', 100, 251, 'r', { outcome: 'fail', error: 'epoch_missed' }))).toEqual(['member wait']);
  expect(waits(one('Other', 100, 400))).toEqual([]);
});

test('a member may wait that long after the last transaction with locks on one of its records', () => {
  expect(waits(one('Locks', 90, 200), one('List', 100, 350))).toEqual([]);
  expect(waits(one('Locks', 90, 200), one('List', 100, 351))).toEqual(['member wait']);
  expect(waits(one('Locks', 90, 200, 'another'), one('List', 100, 350))).toEqual(['member wait']);
  expect(waits(one('Locks', 50, 99), one('List', 100, 251))).toEqual(['member wait']);
});

test('natives and other members are in nobody’s way, and a list that goes by locks at last is', () => {
  expect(waits(native('app', [100, 250], ['Register.get', 'r', [], 1]), one('List', 100, 251))).toEqual(['member wait']);
  expect(waits(one('List', 100, 250), one('List', 100, 251))).toEqual(['member wait']);
  expect(waits(one('Locks', 100, 250), one('List', 100, 251))).toEqual([]);
  expect(waits(one('List', 100, 251, 'r', { transaction: 'first' }))).toEqual(['member wait']);
});

test('members that meet no locks are found in a run, and none of them waits for longer', async () => {
  const report = await run({ seed: 930, minutes: 0.02, plan: 'calm', workload: 'epoch-batches' });
  expect(report.violations).toEqual([]);
  expect(report.members.alone).toBeGreaterThan(50);
  console.log(`${report.members.alone} members met no locks; the longest wait was ${report.members.longestMs.toFixed(1)} ms`);
});
