import { expect, test } from 'vitest';
import type { ShardOwner, ShardStandby } from '@claret/client/telemetry';
import { followedWords, sinceWords, standbyCount, standbyWords } from './ownerWords.ts';

const standby = (follows: Omit<ShardStandby['follows'][number], 'shard'>[]): ShardStandby => ({
  address: 'c:1',
  rest_address: 'c:2',
  follows: follows.map((one, shard) => ({ shard, ...one })),
});
const owner = (shard: number): ShardOwner => ({ shard, address: 'a:1', rest_address: 'a:2', incarnation: 7, since_ms: 0, present: true });

test('how far a standby is says whether it may take the shard, and what it lacks', () => {
  expect(followedWords({ shard: 0, ready: true, behind: 0 })).toBe('up to date');
  expect(followedWords({ shard: 0, ready: true, behind: 12_400 })).toBe('12,400 entries behind');
  expect(followedWords({ shard: 0, ready: true })).toBe('follows');
  expect(followedWords({ shard: 0, ready: false })).toBe('still reading');
  expect(followedWords({ shard: 0, ready: false, behind: 0 })).toBe('still reading');
  expect(followedWords({ shard: 0, ready: false, behind: 900 })).toBe('still reading, 900 entries behind');
});

test('what several shards have in common is said once', () => {
  const good = { ready: true, behind: 0 };
  expect(standbyWords(standby([good]))).toBe('up to date');
  expect(standbyWords(standby([good, good]))).toBe('up to date with all shards');
  expect(standbyWords(standby([good, { ready: true, behind: 7 }, good, { ready: false }]))).toBe(
    'up to date; shard 1: 7 entries behind; shard 3: still reading',
  );
  expect(standbyWords(standby([{ ready: true, behind: 82 }, good]))).toBe('shard 0: 82 entries behind; shard 1: up to date');
  expect(standbyWords(standby([]))).toBe('follows no shard');
});

test('the top bar warns where a shard has no standby that is ready', () => {
  const owners = [owner(0), owner(1)];
  const good = { ready: true, behind: 0 };
  expect(standbyCount({ owners, standbys: [] })).toEqual({ words: 'no standby', isWarning: true });
  expect(standbyCount({ owners, standbys: [standby([good, { ready: false }])] })).toEqual({ words: 'no standby ready', isWarning: true });
  expect(standbyCount({ owners, standbys: [standby([good, good])] })).toEqual({ words: '1 standby', isWarning: false });
  expect(standbyCount({ owners, standbys: [standby([good, { ready: false }]), standby([{ ready: false }, good])] })).toEqual({
    words: '2 standbys',
    isWarning: false,
  });
});

test('an owner of long standing is shown with the date', () => {
  const since_ms = new Date(2026, 2, 5, 14, 3, 20).getTime();
  expect(sinceWords(since_ms, since_ms + 3_600_000)).toBe('since 14:03:20');
  expect(sinceWords(since_ms, since_ms + 90_000_000)).toBe('since 5 Mar 2026, 14:03:20');
});
