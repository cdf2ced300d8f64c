import { expect, test } from 'vitest';
import type { Straggling } from './row.ts';
import { targetsOf } from './targets.ts';
import { row } from './testing.ts';

const met = (lines: readonly string[]) => lines.map((line) => line.endsWith(', met)'));

test('without rows there are no targets', () => {
  expect(targetsOf([])).toEqual([]);
  expect(targetsOf([row('switch', '64, all')])).toEqual([]);
});

test('every size from 100 to 4,000 counts, and no other', () => {
  const at = (size: number, to_baseline: number) => row('size', String(size), { size, to_baseline });
  expect(met(targetsOf([at(10, 0.5), at(100, 0.9), at(4_000, 0.95)]))).toEqual([true]);
  expect(met(targetsOf([at(100, 0.62), at(4_000, 0.95)]))).toEqual([false]);
});

test('locks that commit nothing are told as such', () => {
  const lines = targetsOf([row('size', '1000', { txn_per_s: 600 }), row('size', '1000', { way: 'locks', txn_per_s: 0 })]);
  expect(lines).toEqual(['lists of 1,000 to locks, 64 in flight: 600 lists/s, where locks commit none in the span (goal: 50 times, met)']);
});

test('strangers and the manager have a target each, and those that need the gateway have none', () => {
  const straggler: Straggling = {
    stopped_ms: 500,
    gap_ms: 60,
    greatest_gap_ms: 80,
    calm_gap_ms: 10,
    until_commit_ms: 10,
    until_epoch_ms: 10,
  };
  const killed = { ...straggler, stopped_ms: null, until_epoch_ms: 700 };
  const lines = targetsOf([
    row('straggler', 'one stopped 500 ms: strangers', { straggler }),
    row('straggler', 'one stopped 500 ms: needing', { straggler: { ...straggler, gap_ms: 520 } }),
    row('straggler', 'manager killed: strangers', { straggler: killed }),
    row('straggler', 'manager killed: strangers', { straggler: { ...killed, until_epoch_ms: null } }),
  ]);
  expect(met(lines)).toEqual([true, false, false]);
  expect(lines[2]).toContain('not within the round');
});

test('durability, and interactive transactions beside', () => {
  const lines = targetsOf([
    row('durability', 'none'),
    row('durability', 'async', { to_baseline: 0.96 }),
    row('durability', 'sync', { to_baseline: 0.7 }),
    row('beside', 'beside epochs', { way: 'locks', p99_to_baseline: 1.2 }),
  ]);
  expect(met(lines)).toEqual([true, false, true]);
});

test('durability is not compared with lists that have left the epochs', () => {
  const lines = targetsOf([row('durability', 'none', { epoch_share: 0.84 }), row('durability', 'sync', { to_baseline: 6.5 })]);
  expect(lines).toEqual(['durability sync, of none: 6.50 (goal: 0.8, not comparable, since lists have left the epochs)']);
});
