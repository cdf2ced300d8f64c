import { expect, test } from 'vitest';
import { figuresOf, pointTable, verdictLine, verdicts, type CellRow, type Figures } from './report.ts';
import type { WayName } from './ways.ts';

const row = (way: WayName, txn_per_s: number, more: Partial<CellRow> = {}): CellRow => ({
  kind: 'cell',
  workload: 'rawmix',
  point: 'alpha=1 update=0.5',
  clients: 64,
  way,
  round: 0,
  txn_per_s,
  p50_ms: 1,
  p99_ms: 2,
  aborts_per_commit: 0,
  failures: 0,
  driver_us_per_txn: 3,
  server_us_per_txn: 4,
  others_cpu: 0,
  ...more,
});
const skewed = (figures: Figures[], clients = 64) =>
  verdicts(figures).find((one) => one.point === 'alpha=1 update=0.5' && one.clients === clients)!;

test('a figure is the median of its rounds, separately for each cell', () => {
  const figures = figuresOf([
    row('redis Lua', 10, { p99_ms: 9 }),
    row('redis MULTI', 70),
    row('redis Lua', 30, { round: 1, p99_ms: 1 }),
    row('redis Lua', 20, { round: 2, p99_ms: 2 }),
    row('redis Lua', 5, { clients: 8 }),
  ]);
  expect(figures.map(({ way, clients, txn_per_s, p99_ms, rounds }) => [way, clients, txn_per_s, p99_ms, rounds])).toEqual([
    ['redis Lua', 64, 20, 2, 3],
    ['redis MULTI', 64, 70, 2, 1],
    ['redis Lua', 8, 5, 2, 1],
  ]);
});

test('a table compares each way with interactive Claret at the same number of clients', () => {
  const lines = pointTable(
    figuresOf([row('claret interactive', 2_000), row('redis WATCH', 500), row('redis WATCH', 600, { clients: 8 })]),
  ).split('\n');
  expect(lines[2]).toMatch(/^claret interactive +64 +2,000 +1\.00 x +1\.00 +2\.00 +0\.00 +3\.0 +4\.0$/);
  expect(lines[3]).toMatch(/^redis WATCH +64 +500 +0\.25 x /);
  expect(lines[4]).toMatch(/^redis WATCH +8 +600 +1\.00 +2\.00/);
});

test('a target is compared with the fastest way of the other system, and lists the ratio to each', () => {
  const verdict = skewed(figuresOf([row('claret interactive', 4_000), row('redis WATCH', 400), row('redis WATCH pooled', 1_000)]));
  expect(verdict).toMatchObject({ wanted: 3, measured: 4, detail: '10.0 x redis WATCH, 4.0 x redis WATCH pooled' });
  expect(verdictLine(verdict)).toContain('4.0 x, met (target: 3 x)');
});

test("the server's CPU time has an upper bound, and is compared with the peer that needs least", () => {
  const rows = [
    row('claret one-shot', 100, { server_us_per_txn: 2 }),
    row('redis MULTI', 100, { server_us_per_txn: 4 }),
    row('redis MULTI bare', 100, { server_us_per_txn: 2.5 }),
  ];
  const verdict = verdicts(figuresOf(rows)).find((one) => one.atMost && one.point === 'alpha=1 update=0.5' && one.clients === 64)!;
  expect(verdict).toMatchObject({ wanted: 0.7, measured: 0.8, detail: '0.50 x redis MULTI, 0.80 x redis MULTI bare' });
  expect(verdictLine(verdict)).toContain('0.80 x, missed (target: at most 0.7 x)');
});

test('a ratio below its target is missed, and one that was not measured is neither', () => {
  const figures = figuresOf([row('claret interactive', 2_999), row('redis WATCH', 1_000)]);
  expect(verdictLine(skewed(figures))).toContain('3.0 x, missed');
  expect(verdictLine(skewed(figures, 256))).toContain('not measured (target: 10 x)');
});
