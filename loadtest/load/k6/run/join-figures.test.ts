import { expect, test } from 'vitest';
import type { LedgerLine } from '../storm.ts';
import type { SlotMove } from './join.ts';
import { JoinTally } from './join-figures.ts';

const BEGINS_MS = 1_000_000;
const line = (at_ms: number, ms: number, outcome: LedgerLine[3] = 'accepted', kind: 'bid' | 'read' = 'bid'): LedgerLine =>
  [kind, BEGINS_MS + at_ms, ms, outcome, 'u1', {}] as unknown as LedgerLine;
const move = (held_ms: number): SlotMove => ({ from: 0, slots: 100, bytes: 1, drains: 1, held_ms, took_ms: 50 });
const JOINING = {
  joins_ms: BEGINS_MS + 1_000,
  moves_ms: BEGINS_MS + 2_000,
  done_ms: BEGINS_MS + 3_000,
  moves: [move(4), move(9), move(2)],
};

function figures(lines: readonly LedgerLine[], storm_ms = 10_000) {
  const tally = new JoinTally(['bid']);
  for (const one of lines) tally.add(one);
  return tally.figures(JOINING, BEGINS_MS, BEGINS_MS + storm_ms);
}

test('a request counts in the stage in which it was sent, however late its answer', () => {
  const { stages } = figures([line(0, 10), line(999, 5_000), line(1_000, 20), line(2_500, 40), line(9_000, 80)]);
  expect(Object.values(stages).map(({ accepted, longest_ms }) => [accepted, longest_ms])).toEqual([
    [2, 5_000],
    [1, 20],
    [1, 40],
    [1, 80],
  ]);
  expect(stages.after.seconds).toBe(7);
});

test('latencies are those of accepted work; what was not answered well is counted', () => {
  const { stages } = figures([
    line(2_100, 7),
    line(2_200, 900, 'refused:too_low'),
    line(2_300, 800, 'accepted', 'read'),
    line(2_400, 5, 'shed'),
  ]);
  expect(stages.moving).toMatchObject({ accepted: 1, p50_ms: 7, p99_ms: 7, shed: 1, unknown: 0, failed: 0 });
  expect(stages.before).toMatchObject({ accepted: 0, p50_ms: null, longest_gap_ms: null });
});

test('a registration that a site without processor time sheds is not the doing of the shard', () => {
  const registration = ['register', BEGINS_MS + 2_100, 5_000, 'shed', '', { name: 'x' }] as LedgerLine;
  expect(figures([registration, line(2_200, 5, 'shed')]).stages.moving.shed).toBe(1);
});

test('the longest time without an answer is that between answers of any request, whatever their order', () => {
  const { stages } = figures([
    line(2_600, 30),
    line(2_000, 100),
    line(2_050, 950, 'unknown'),
    line(2_200, 50, 'refused:too_low', 'read'),
    line(3_200, 100),
  ]);
  // Answers at 2,100, 2,250, 2,630 and 3,300: the last gap begins while slots move.
  expect(stages.moving.longest_gap_ms).toBe(670);
  expect(stages.after.longest_gap_ms).toBeNull();
});

test('the times for which runs were held are summarized over the moves', () => {
  expect(figures([])).toMatchObject({ held_p50_ms: 4, held_p99_ms: 9, held_longest_ms: 9, left_s: 7 });
  expect(figures([], 2_500).left_s).toBe(-0.5);
});
