import { expect, test } from 'vitest';
import type { Measured } from './question.ts';
import { figuresOf, verdictOf, verdictText, type Cell } from './report.ts';
import { bestOf, partSize } from './topn.ts';

const measured = (reads: number, write_ms: number[]): Measured => ({
  seconds: 2,
  reads,
  writes: write_ms.length,
  transactions: reads + write_ms.length,
  read_ms: [1, 2, 3],
  write_ms,
  messages: 50,
  answers: 10,
  retries: 0,
  body_runs: 12,
  client_us: 1_000,
  gateway_us: [500, 100],
});

const off: Cell = { condition: 'off', way: 'reads', inFlight: 16, rounds: [measured(98, [4, 6]), measured(198, [4, 6])] };
const auto: Cell = { condition: 'auto', way: 'reads', inFlight: 16, rounds: [measured(998, [8, 10]), measured(998, [9, 11])] };

test('figures are medians of rounds, ratios are taken within rounds, and changes of all rounds count together', () => {
  const figures = figuresOf({ part: 'p', shards: 1, users: 7 }, auto, off);
  expect(figures).toMatchObject({ part: 'p', users: 7, condition: 'auto', way: 'reads', txn_per_s: 500, over_off: 7.5 });
  expect(figures).toMatchObject({ shards: 1, in_flight: 16, slowest_txn_per_s: 500, fastest_txn_per_s: 500, mean_ms: 5 });
  expect(figures).toMatchObject({ messages_per_txn: 0.05, without_message: 0.01, body_runs_per_write: 6 });
  expect(figures).toMatchObject({ read_p50_ms: 2, write_mean_ms: 9.5, write_p99_ms: 11, gateway_us_per_txn: [0.5, 0.1] });
});

test('a cell without changes has no times of them', () => {
  const none = { ...auto, rounds: [measured(100, [])] };
  expect(figuresOf({ part: 'p', shards: 1, users: 0 }, none, { ...off, rounds: off.rounds.slice(0, 1) }).write_mean_ms).toBe(null);
});

test('a span that was too short for any transaction has no mean, and does not count for that of others', () => {
  const empty = { ...measured(0, []), read_ms: [] };
  const meanOf = (rounds: Measured[]) => figuresOf({ part: 'p', shards: 1, users: 0 }, { ...auto, rounds }, off).mean_ms;
  expect(meanOf([empty, empty])).toBe(null);
  expect(meanOf([empty, measured(3, [])])).toBe(2);
});

test('what needed no message is a share of the transactions, of which a page has several', () => {
  const pages = { ...auto, rounds: auto.rounds.map((round) => ({ ...round, transactions: 4_000, answers: 3_000 })) };
  expect(figuresOf({ part: 'p', shards: 1, users: 0 }, pages, off).without_message).toBe(0.75);
});

test('a target says whether it is met', () => {
  const rows = [off, auto].map((cell) => figuresOf({ part: 'p', shards: 1, users: 0 }, cell, off));
  const target = {
    what: 'speed',
    value: (of: (condition: 'auto' | 'off', way: string) => { over_off: number }) => of('auto', 'reads').over_off,
  };
  expect(verdictOf({ ...target, least: 8 }, rows)).toBe('speed: 7.500 (goal: at least 8, missed)');
  expect(verdictOf({ ...target, least: 7 }, rows)).toBe('speed: 7.500 (goal: at least 7, met)');
  expect(verdictText({ what: 'delay', value: 3, most: 2.5 })).toBe('delay: 3.000 (goal: at most 2.5, missed)');
  expect(verdictText({ what: 'share', value: 0.5 })).toBe('share: 0.500');
});

test('a range of people has at most sixteen parts', () => {
  expect([2, 16, 17, 256, 257, 1_024, 8_192].map(partSize)).toEqual([1, 1, 16, 16, 256, 256, 4_096]);
});

test('of people with as many followers, the one with the lower number is better', () => {
  const people = [3, 9, 9, 1, 2, 5, 4].map((followers, user) => ({ user, followers }));
  expect(bestOf(people).map(({ user }) => user)).toEqual([1, 2, 5, 6, 0]);
});
