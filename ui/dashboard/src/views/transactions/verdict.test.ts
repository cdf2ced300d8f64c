import { describe, expect, it } from 'vitest';
import type { OperationSlice, Sample } from '@claret/client/telemetry';
import { outcomeWords, retryWords, verdictWords } from './verdict.ts';

const slice = (changes: Partial<OperationSlice>): OperationSlice => ({
  key: 'k',
  operation: 'Set.add',
  verdict: 'granted',
  beside: 0,
  waitedMs: 0,
  blockingLabel: '',
  blockingOperation: null,
  ...changes,
});
const behindView = { blockingLabel: 'ViewAuction', blockingOperation: 'Set.size' };
const bid = { label: 'Bid', traced: true, code: '' };
const verdict = (changes: Partial<OperationSlice>, told = bid) => verdictWords(slice(changes), told);

describe('a verdict', () => {
  it('counts the holders that the operation commuted with', () => {
    expect(verdict({ beside: 17 })).toBe('commutes with 17 holders');
    expect(verdict({ beside: 1 })).toBe('commutes with 1 holder');
    expect(verdict({})).toBe('met no other transaction');
  });

  it('says how long the operation waited, and which one was the first in its way', () => {
    expect(verdict({ verdict: 'waited', waitedMs: 3.2, ...behindView })).toBe('waited 3.2 ms, first behind size of ViewAuction');
    expect(verdict({ verdict: 'waited', waitedMs: 3.2, blockingLabel: 'Bid', blockingOperation: 'TopK.top' })).toBe(
      'waited 3.2 ms, first behind top of another Bid',
    );
    expect(verdict({ verdict: 'waited', waitedMs: 40 })).toBe('waited 40 ms');
    expect(verdict({ verdict: 'waited', ...behindView })).toBe('waited within one turn of the shard, first behind size of ViewAuction');
  });

  it('distinguishes a finished wait from one that the end of the attempt cut off', () => {
    expect(verdict({ verdict: 'waiting', waitedMs: 12, ...behindView })).toBe(
      'waited 12 ms, until the attempt ended, first behind size of ViewAuction',
    );
    expect(verdict({ verdict: 'waiting', ...behindView })).toBe('was not granted: size of ViewAuction was in the way');
  });

  it('states only what is known of an abort that was not sampled from its beginning', () => {
    const untraced = { ...bid, traced: false };
    expect(verdict({}, untraced)).toBe('was granted');
    expect(verdict({ verdict: 'waiting', waitedMs: 12, ...behindView }, untraced)).toContain('last behind size of ViewAuction');
  });

  it('says why an operation was not done', () => {
    expect(verdict({ verdict: 'denied', ...behindView })).toBe('was refused: size of ViewAuction was in the way');
    expect(verdict({ verdict: 'refused' }, { ...bid, code: 'below_bound' })).toBe('failed: the counter would fall below its bound');
    expect(verdict({ verdict: 'ahead', beside: 0 })).toBe('executed ahead of the commit');
    expect(verdict({ verdict: 'ahead', beside: 12, waitedMs: 0.5 })).toBe(
      'executed ahead of the commit, on top of 12 undecided operations, after waiting 0.5 ms for its turn',
    );
    expect(verdict({ verdict: 'untried' })).toBe('not reached: its request stopped earlier');
  });
});

const attempt = (changes: Partial<Sample>): Sample => ({
  transaction: '1',
  label: 'Bid',
  retries: 0,
  traced: true,
  begunAgoMs: 3,
  votedAgoMs: null,
  endedAgoMs: 1,
  outcome: 'aborted',
  code: '',
  cause: '',
  warranted: 0,
  batchMembers: 0,
  stoodBack: '',
  operationsLeftOut: 0,
  requests: [],
  ...changes,
});

describe('an end', () => {
  it('is described by its cause, or else by its code', () => {
    expect(outcomeWords(attempt({ outcome: 'committed' }))).toBe('committed');
    expect(outcomeWords(attempt({ code: 'wounded', cause: 'wounded' }))).toBe(
      'aborted: gave way to an older transaction that waited for it',
    );
    expect(outcomeWords(attempt({ code: 'expired', cause: 'lock_wait' }))).toBe('aborted: timed out waiting for a lock');
    expect(outcomeWords(attempt({ code: 'some_new_code' }))).toBe('aborted: some new code');
  });

  it('says how much was answered from memory', () => {
    expect(outcomeWords(attempt({ outcome: 'committed', warranted: 1 }))).toBe('committed, 1 reading from memory');
    expect(outcomeWords(attempt({ outcome: 'committed', warranted: 3 }))).toBe('committed, 3 readings from memory');
  });

  it('says why a chain broke, and what became of a batch', () => {
    expect(outcomeWords(attempt({ code: 'chain_broken', cause: 'displaced' }))).toBe(
      'aborted: its chain was undone: kept an earlier turn waiting',
    );
    expect(outcomeWords(attempt({ outcome: 'committed', batchMembers: 14 }))).toBe('committed, in a batch of 14');
    expect(outcomeWords(attempt({ outcome: 'committed', batchMembers: 2, stoodBack: 'session_lost' }))).toBe(
      'committed, in a batch of 2 that stood back: the session was lost',
    );
    expect(outcomeWords(attempt({ code: 'chain_broken', cause: 'brand_new' }))).toBe('aborted: its chain was undone: brand new');
  });

  it('gives the reason of the shard that ended the attempt, whatever the other shards report', () => {
    const told = attempt({ code: 'aborted_by_client' });
    expect(retryWords([told, attempt({ code: 'deadlock', cause: 'deadlock' })])).toBe('youngest in a cycle of waits');
    expect(retryWords([told])).toBe('begun anew by the client');
    const denied = attempt({ code: 'aborted_by_client', requests: [{ agoMs: 2, operations: [slice({ verdict: 'denied' })] }] });
    expect(retryWords([told, denied])).toBe('refused a lock');
  });
});
