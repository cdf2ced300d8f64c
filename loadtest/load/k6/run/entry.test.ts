import { expect, test } from 'vitest';
import type { Measured } from './entry.ts';
import { entryOf, entryOfFailure, faultsOf } from './entry.ts';
import { STAGES, type JoinFigures } from './join-figures.ts';
import { printed } from './words.ts';

const HEADING = { condition: 'full', scenario: 'last-minute-auction', peak_per_s: 100, duration_s: 20, seed: 1 };
const second = (at: number, accepted: number) => ({
  second: at,
  sent: accepted,
  accepted,
  p50_ms: 3,
  p99_ms: 9,
  shed: 0,
  refused: 0,
  unknown: 0,
  failed: 0,
});
const measured = (more: Partial<Measured> = {}): Measured => ({
  totals: { accepted: 451, p50_ms: 3.127, p99_ms: 99.96, shed: 7, unknown: 2, failed: 0, refused: { auction_closed: 4 } },
  seconds: [second(0, 3), second(1, 44), second(2, 12)],
  cores: { by_process: { 'gateway 0': 0.5, 'gateway 1': 0.25, 'auctions 0': 0.9, k6: 0.4 }, machine: 1.9, bottleneck: 'auctions 0' },
  k6: { dropped: 5, thresholds: [], requests: 900, thrown: { count: 0, first: null } },
  broken: [],
  ...more,
});

test('an entry has all fields of the list', () => {
  expect(entryOf(HEADING, measured())).toMatchObject({
    condition: 'full',
    accepted_per_s: 22.6,
    accepted_per_s_max: 44,
    p50_ms: 3.1,
    p99_ms: 100,
    shed: 7,
    dropped: 5,
    unknown: 2,
    failed: 0,
    refused: { auction_closed: 4 },
    invariants: 'hold',
    thresholds: [],
    bottleneck: 'auctions 0',
  });
});

test('a storm without violations has no faults', () => {
  expect(faultsOf(entryOf(HEADING, measured()))).toEqual([]);
});

test('each fault is named: a violation is never reported as slowness', () => {
  const totals = { ...measured().totals, accepted: 0, failed: 1 };
  const entry = entryOf(
    HEADING,
    measured({
      totals,
      broken: ['{item:1}:bids: lost'],
      k6: { dropped: 9, thresholds: ['answer_ms: p(99)<1'], requests: 1, thrown: { count: 2, first: 'TypeError: x' } },
    }),
  );
  expect(faultsOf(entry)).toEqual([
    'invariants broken: {item:1}:bids: lost',
    '1 request failed',
    '2 visits ended in an exception of the script, the first: TypeError: x',
    'nothing was accepted',
    'thresholds crossed: answer_ms: p(99)<1',
  ]);
});

test('a storm that k6 did not complete has no valid invariants', () => {
  const entry = entryOfFailure(HEADING, 'k6 ended with exit code 107');
  expect(entry.invariants).toBe('not checked: k6 ended with exit code 107');
  expect(faultsOf(entry)).toEqual(['the storm has no result: k6 ended with exit code 107']);
});

test('a failed check keeps the measurements, and is not a violated invariant', () => {
  const entry = entryOf(HEADING, measured({ broken: new Error('shard 1 is away') }));
  expect(entry).toMatchObject({ invariants: 'not checked: shard 1 is away', accepted: 451, p99_ms: 100, thresholds: [] });
  expect(faultsOf(entry)).toEqual(['invariants not checked: shard 1 is away']);
  expect(printed([entry])).toMatch(/^invariants +not checked$/m);
});

test('of many violated invariants the first are listed, with the number of others', () => {
  const { invariants } = entryOf(HEADING, measured({ broken: Array.from({ length: 11 }, (_, i) => `b${i}`) }));
  expect(invariants).toBe('b0; b1; b2; b3; b4; b5; b6; b7; and 3 more');
});

test('the printed table has a column for each condition and names each bottleneck', () => {
  const [one, other] = [entryOf(HEADING, measured()), entryOf({ ...HEADING, condition: 'rw' }, measured({ broken: ['x'], cores: null }))];
  const text = printed([one, other]);
  expect(text).toMatch(/^accepted\/s +22\.6 +22\.6$/m);
  expect(text).toMatch(/^p50 +3\.1 ms +3\.1 ms$/m);
  expect(text).toMatch(/^cores: gateways +0\.50 \+ 0\.25 +–$/m);
  expect(text).toMatch(/^invariants +hold +BROKEN$/m);
  expect(text).toContain("bottleneck (full): auctions 0\nbottleneck (rw): unknown: its processes are not this machine's");
});

const STAGE = { seconds: 5, accepted: 50, p50_ms: 3, p99_ms: 12, longest_ms: 40, longest_gap_ms: 55, shed: 0, unknown: 0, failed: 0 };
const JOIN: JoinFigures = {
  moves: [2_731, 2_730].map((slots, from) => ({ from, slots, bytes: 1_000, drains: 1, held_ms: 6, took_ms: 90 })),
  held_p50_ms: 6,
  held_p99_ms: 8,
  held_longest_ms: 8,
  stages: Object.fromEntries(STAGES.map((stage) => [stage, STAGE])) as JoinFigures['stages'],
  left_s: 4,
};
test('a shard that joins must get its slots within the storm, and from then on no request may be shed or lost', () => {
  const faults = (join: JoinFigures | Error) => faultsOf(entryOf(HEADING, measured({ join })));
  const harmed = { ...STAGE, shed: 3, unknown: 1 };
  expect(faults(JOIN)).toEqual([]);
  expect(faults({ ...JOIN, stages: { ...JOIN.stages, before: harmed } })).toEqual([]);
  expect(faults({ ...JOIN, stages: { ...JOIN.stages, moving: harmed, after: harmed } })).toEqual([
    'since the shard joined, 6 requests were shed and 2 had no answer',
  ]);
  expect(faults({ ...JOIN, left_s: -2 })).toEqual(['slots moved until 2 s after the storm: it was too short']);
  expect(faults(new Error('a move was refused'))).toEqual(['the shard that joined did not get its slots: a move was refused']);
});

test('what visitors met while a shard joined has a table of its own, with a column for each stage', () => {
  const text = printed([entryOf(HEADING, measured({ join: JOIN }))]);
  expect(text).toContain(
    'a shard joins (full): 5,461 slots in 2 moves, held 2 times; each was held for 6 ms (median), 8 ms (p99), 8 ms (longest)',
  );
  expect(text).toMatch(/^ +before +starting +moving +after$/m);
  expect(text).toMatch(/^longest time without an answer +55 ms +55 ms +55 ms +55 ms$/m);
  expect(text).toMatch(/^accepted\/s +10 +10 +10 +10$/m);
});
