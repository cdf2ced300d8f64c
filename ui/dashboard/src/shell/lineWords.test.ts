import { expect, test } from 'vitest';
import type { LiveStatus } from '../feed/liveFeed.ts';
import type { Mark } from '../store/telemetryStore.ts';
import { backWords, bannerWords, lineWords, silentWords, takeOverWords, takeOversSince, troubleOf } from './lineWords.ts';

const status: LiveStatus = { state: 'live', behind_s: 0, malformed: 0, otherVersion: null, refusal: null, elsewhere: null };
const label = (live: Partial<LiveStatus>, source: 'live' | 'recording' = 'live') =>
  lineWords({ source, live: { ...status, ...live } }).label;

test('each state of the connection has its own word', () => {
  expect(label({})).toBe('Live');
  expect(label({ state: 'connecting' })).toBe('Connecting');
  expect(label({ state: 'connecting', refusal: 503 })).toBe('Full');
  expect(label({ state: 'stale' })).toBe('Reconnecting');
  expect(label({ state: 'stale', behind_s: 3 })).toBe('3 s behind');
  expect(label({ state: 'offline' })).toBe('Offline');
  expect(label({ state: 'other_version', otherVersion: 2 })).toBe('Version mismatch');
});

test('a recording is named as such whatever the state of the connection', () => {
  expect(label({ state: 'offline' }, 'recording')).toBe('Recording');
});

test('a lost connection says until when data is known; one that never existed does not', () => {
  expect(bannerWords({ ...status, state: 'stale' }, '14:03:20')).toContain('ends at 14:03:20');
  expect(bannerWords({ ...status, state: 'offline' }, '14:03:20')).toContain('ends at 14:03:20');
  expect(bannerWords({ ...status, state: 'connecting' }, null)).not.toContain('ends at');
  expect(bannerWords({ ...status, state: 'stale', behind_s: 4 }, '14:03:20')).toContain('4 s old');
});

test('a live picture without the reports of some shards is a trouble of its own', () => {
  expect(troubleOf(status, [])).toBeNull();
  expect(troubleOf(status, [1])).toBe('silent');
  expect(troubleOf({ ...status, state: 'stale' }, [1])).toBe('stale');
  expect(troubleOf({ ...status, elsewhere: 'b:2' }, [1])).toBe('silent');
  expect(troubleOf({ ...status, elsewhere: 'b:2' }, [])).toBe('elsewhere');
  expect(silentWords([1])).toMatch(/^Shard 1 does not answer: what needs its records/);
  expect(silentWords([0, 2, 3])).toMatch(/^Shards 0, 2, and 3 do not answer: what needs their records/);
});

test('the end of a trouble is told, but not where there was no connection before', () => {
  expect(backWords('stale', [])).toBe('Connected again: you see the cluster as it is now.');
  expect(backWords('silent', [])).toBe('All shards answer again.');
  expect(backWords('connecting', [])).toBeNull();
});

test('the end of a trouble names the take-overs meanwhile, with the longest time without answers where it is known', () => {
  const marks: Mark[] = [
    { at_ms: 1_000, what: { shard_taken_over: 0, by: 'b:2', from: 'a:2' } },
    { at_ms: 5_000, what: { shard_taken_over: 1, by: 'd:2', from: 'c:2', unanswered_ms: 2_310 } },
    { at_ms: 6_000, what: { shard_restarted: 2 } },
  ];
  expect(backWords('silent', takeOversSince(marks, 2_000))).toBe(
    'All shards answer again. d:2 has taken shard 1 over from c:2. The shard gave no answers for at most 2.4 s.',
  );
  expect(takeOverWords(takeOversSince(marks, 0)[0]!)).toBe('b:2 has taken shard 0 over from a:2.');
});
