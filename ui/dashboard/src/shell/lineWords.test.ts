import { expect, test } from 'vitest';
import type { LiveStatus } from '../feed/liveFeed.ts';
import { backWords, bannerWords, lineWords, silentWords, troubleOf } from './lineWords.ts';

const status: LiveStatus = { state: 'live', behind_s: 0, malformed: 0, otherVersion: null, refusal: null };
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
  expect(silentWords([1])).toMatch(/^Shard 1 does not answer: what needs its records/);
  expect(silentWords([0, 2, 3])).toMatch(/^Shards 0, 2, and 3 do not answer: what needs their records/);
});

test('the end of a trouble is told, but not where there was no connection before', () => {
  expect(backWords('stale')).toContain('Connected again');
  expect(backWords('silent')).toContain('answer again');
  expect(backWords('connecting')).toBeNull();
});
