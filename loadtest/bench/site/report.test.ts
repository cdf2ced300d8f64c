import { expect, it } from 'vitest';
import type { Plan } from './contenders.ts';
import { mismatchesOf, rowsOf, tablesOf, wayOf, type Cell, type Round } from './report.ts';
import { NO_OUTCOMES } from './outcome.ts';

const times = (p50_ms: number) => ({ count: 10, p50_ms, p99_ms: 2 * p50_ms });
const good = { subject: 'i1', acknowledged: 9, unknown: 1, duplicates: 0, lost: 0, contradictions: 0, mixed: 0 };

const round = (highest_per_s: number | null, p50_ms = 5): Round => ({
  highest_per_s,
  tries: [],
  fixed: {
    drawn: 10,
    abandoned: 0,
    requests: 20,
    outcomes: { ...NO_OUTCOMES, accepted: 19, shed: 1 },
    changes: { ...NO_OUTCOMES, accepted: 8, outbid: 2 },
    all: times(p50_ms),
    kinds: { change: times(p50_ms), page: times(3 * p50_ms) },
    lag: times(10),
    unseen: 0,
    events: 100,
    late_p99_ms: 1,
    driver_us: 2_000,
    costs: { Bid: { transactions: 4, operations: 28, warranted: 0, retries: 1, batched: 2, locks_waited: 0 } },
  },
  cpu: { app: 8_000, store: 4_000 },
  verdicts: [good],
});
const cell = (name: Plan['name'], rounds: Round[]): Cell => ({
  mix: 'bid-heavy',
  plan: { name, shards: name === 'claret' ? 2 : null, servers: 2, durability: 'none' },
  rounds,
});

it('figures are medians of the rounds, and are compared with the best peer', () => {
  const rows = rowsOf([
    cell('claret', [round(100, 5), round(300, 6), round(200, 40)]),
    cell('redis', [round(100), round(100), round(100)]),
    cell('postgres', [round(null), round(null), round(40)]),
  ]);
  expect(rows.map(({ highest_per_s }) => highest_per_s)).toEqual([200, 100, 0]);
  expect(rows.map(({ to_best_peer }) => to_best_peer)).toEqual([2, 1, 0]);
  expect(rows[0]).toMatchObject({ change_ms: [6, 12], page_ms: [18, 36], app_us_per_request: 400, store_us_per_request: 200 });
  expect(rows[0]).toMatchObject({ driver_us_per_request: 100, shed: 3, acknowledged: 27, outbid_share: 0.2, requests_per_action: 2 });
  const lines = tablesOf(rows).split('\n');
  expect(lines[0]).toMatch(/^contender .* bid p50, p99 ms/);
  expect(lines[2]).toMatch(/^claret, 2 shards +200 +100 300 200 +2\.00 x +6\.0, 12\.0 +18\.0, 36\.0 /);
  expect(lines.at(-3)).toMatch(/^claret, 2 shards +400 +200 +100 +1\.0 +20 % +3 +27 +0 +0$/);
});

it('without a peer there is no ratio', () => {
  expect(rowsOf([cell('claret', [round(100)])])[0]!.to_best_peer).toBeNull();
});

it('the way of changes is summed over the rounds', () => {
  const [row] = rowsOf([cell('claret', [round(100), round(100)])]);
  expect(wayOf(row!)).toMatch(/^8 transactions Bid, each 7\.00 operations, .* 0\.25 repeated attempts, .* 50 % in a batch$/);
  expect(wayOf({ ...row!, costs: {} })).toBeNull();
});

it('each ledger that does not agree is told, and no other', () => {
  const bad = { ...round(100), verdicts: [good, { ...good, subject: 'i2', lost: 1 }] };
  expect(mismatchesOf(cell('redis', [round(100)]))).toEqual([]);
  expect(mismatchesOf(cell('redis', [round(100), bad]))).toEqual([
    expect.stringMatching(/^MISMATCH: redis, durability none, bid-heavy, round 2, i2: of 9 .*, 0 duplicates, 1 lost, 0 answered in/),
  ]);
  expect(rowsOf([cell('redis', [bad])])[0]).toMatchObject({ lost: 1, duplicates: 0 });
});
