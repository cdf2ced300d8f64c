import { expect, it } from 'vitest';
import type { OperationSlice, Sample, Waiter } from '@claret/client/telemetry';
import type { TransactionSample } from '../../store/telemetryStore.ts';
import { seenRecords } from './seenRecords.ts';

const slice = (key: string, blockingLabel: string): OperationSlice => ({
  key,
  operation: 'TopK.top',
  verdict: 'waited',
  beside: 0,
  waitedMs: 2,
  blockingLabel,
  blockingOperation: blockingLabel === '' ? null : 'TopK.add',
});

function sample(transaction: string, label: string, operations: OperationSlice[]): TransactionSample {
  const told: Sample = {
    transaction,
    label,
    retries: 0,
    traced: true,
    begunAgoMs: 5,
    votedAgoMs: null,
    endedAgoMs: 1,
    outcome: 'committed',
    code: '',
    cause: '',
    warranted: 0,
    batchMembers: 0,
    stoodBack: '',
    operationsLeftOut: 0,
    requests: [{ agoMs: 5, operations }],
  };
  return {
    transaction,
    label,
    begun_ms: 0,
    ended_ms: 4,
    outcome: 'committed',
    retries: 0,
    attempts: [{ ...told, shard: 0, begun_ms: 0, voted_ms: null, ended_ms: 4 }],
  };
}

const waiter = (transaction: string, key: string, blockers: string[]): Waiter => ({
  transaction,
  label: 'View',
  key,
  operation: 'TopK.top',
  mode: 'read',
  cause: 'lock_wait',
  waitedMs: 3,
  moreBlockers: false,
  warranty: null,
  blockers: blockers.map((label) => ({ transaction: 'x', label, operation: 'TopK.add', holds: true, voted: false, waits: false })),
});

const bidThenView = (holder: string, comer: string) => holder === 'Bid' && comer === 'View';

it('finds the records at which the pair was seen to conflict, counting each transaction once', () => {
  const samples = [sample('1', 'View', [slice('a', 'Bid'), slice('b', 'Sell'), slice('c', '')]), sample('2', 'Sell', [slice('a', 'Bid')])];
  const waiters = [waiter('1', 'a', ['Bid']), waiter('3', 'a', ['Sell', 'Bid']), waiter('3', 'd', ['Bid'])];
  expect(seenRecords(samples, waiters, bidThenView)).toEqual([
    { key: 'a', sightings: 2, operations: ['TopK.add → TopK.top'] },
    { key: 'd', sightings: 1, operations: ['TopK.add → TopK.top'] },
  ]);
});

it('finds no records if no transaction of the pair was sampled', () => {
  expect(seenRecords([sample('1', 'View', [slice('a', 'Sell')])], [], bidThenView)).toEqual([]);
});
