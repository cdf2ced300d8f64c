import { expect, it } from 'vitest';
import { AuthorsPeaks } from './authors.ts';
import { ConflictTable, valueIn } from './gateway-figures.ts';
import type { TraceRow } from './raw.ts';
import { Results } from './results.ts';
import { summaryEntries } from './summary-json.ts';
import { summaryMarkdown } from './summary.ts';
import { isMet, verdicts } from './targets.ts';
import { cellRow, runRow } from './testing.ts';

const FULL = 'abstract+combining+phasing';
const experiment = { workload: 'rawmix', point: 'alpha=1 update=0.5', sending: 'interactive' } as const;

/** Rounds of one condition by number of clients. */
const cells = (condition: string, byClients: Record<number, number[]>, what: object = {}) =>
  Object.entries(byClients).flatMap(([clients, rounds]) =>
    rounds.map((txn_per_s, round) => cellRow({ condition, clients: Number(clients), round, txn_per_s, ...what })),
  );

const rows = [
  runRow(),
  ...cells('rw', { 16: [90, 100, 400], 256: [50, 50, 50] }),
  ...cells('rw-backoff', { 16: [20, 20, 20], 256: [10, 10, 10] }),
  ...cells('rw+phasing', { 16: [200, 200, 200], 256: [100, 100, 100] }),
  ...cells('abstract+phasing', { 16: [300, 300, 300], 256: [300, 300, 300] }),
  ...cells(FULL, { 16: [450, 450, 450], 256: [600, 600, 600] }, { p99_ms: 20_000, client_us_per_op: 1.5 }),
  ...cells('none', { 16: [800, 800, 800], 256: [1000, 1000, 1000] }, { anomalies: 2, driver_cpu: 1, driver_polling: 0 }),
];
const results = new Results(rows);
const authors = AuthorsPeaks.read();

it('figures are medians of the rounds, with each condition at its best number of clients', () => {
  expect(results.peak(experiment, 'rw')).toMatchObject({ clients: 16, txn_per_s: 100, rounds: 3, spread: 3.1 });
  expect(results.ratio(experiment, FULL, 'rw')).toBe(6);
  expect(results.ratio(experiment, FULL, 'rw', 256)).toBe(12);
  expect(results.kept(experiment, 'rw', 256)).toBe(0.5);
  expect(results.ratio(experiment, FULL, 'abstract')).toBeNull();
});

it('if a cell occurs twice, the later row counts', () => {
  expect(new Results([...rows, ...cells('rw', { 16: [90, 500, 400] })]).peak(experiment, 'rw')).toMatchObject({
    txn_per_s: 400,
    rounds: 3,
  });
});

it("the summary as data has the fields that its readers use, and the authors' figures", () => {
  const entries = summaryEntries(results, authors);
  expect(entries.map(({ condition }) => condition)).toEqual(['rw', 'rw+phasing', 'abstract+phasing', FULL, 'none', 'rw-backoff']);
  expect(entries[3]).toEqual({
    workload: 'rawmix',
    point: 'alpha=1 update=0.5',
    sending: 'interactive',
    condition: FULL,
    txn_per_s: 600,
    speedup_vs_rw: 6,
    speedup_vs_rw_phasing: 3,
    share_of_none: 0.6,
    paper_speedup_vs_rw: 20.868,
    paper_share_of_none: 0.789,
    p50_ms: 1,
    p99_ms: 20_000,
    retries_per_commit: 0,
    clients_at_peak: 256,
    speedup_vs_rw_at_256: 12,
  });
  expect(entries[5]).toMatchObject({ paper_speedup_vs_rw: null, paper_share_of_none: null });
});

it('every target is compared with its figure, and one without a figure is neither met nor missed', () => {
  const judged = verdicts(results, 1).map((verdict) => [verdict.target, verdict.measured, isMet(verdict)]);
  expect(judged).toEqual([
    ['share of none, interactive', 0.6, false],
    ['over rw+phasing', 3, true],
    ['combining: over abstract+phasing', 2, false],
    ['no collapse: 256 clients, to the peak', 1, true],
    ['p99 at 256 clients, to 1.5 times that of none', 20_000, false],
    ["client's CPU for each operation, interactive, at 256 clients", 1.5, false],
    ["core's time for each operation, at 256 clients", 0.2, true],
  ]);
  const few = verdicts(new Results([runRow(), cellRow({ sending: 'one-shot', condition: FULL })]), 2);
  expect(few.find(({ target }) => target === 'share of none, one-shot, across shards')).toMatchObject({ wanted: 0.85, measured: null });
  expect(few.map(isMet).slice(0, 2)).toEqual([null, null]);
});

it('summary.md lists the machine, the measurements, the missed targets, and the price of none', () => {
  const text = summaryMarkdown(results, authors);
  expect(text).toContain('commit c0ffee; durability none; shards 1');
  expect(text).toContain('keep awake for 300 µs');
  expect(text).toContain('differ by 0.00 %');
  expect(text).toContain('| share of none, interactive | rawmix alpha=1 update=0.5 | interactive | at least 0.80 | 0.60 | **missed** |');
  expect(text).toContain('3 met, 4 missed, 0 not measured');
  expect(text).toContain(`| ${FULL} | 600 | 256 | 6.00 (20.9) | 3.00 (8.05) | 0.60 (0.79) |`);
  expect(text).toContain('| none | 1,000 (driver-bound) |');
  expect(text).toContain('12 things differed, in 6 of 6 cells (rawmix alpha=1 update=0.5)');
  expect(text).toContain('`rw` has 5.00 times its\nthroughput');
  expect(text).toContain('would seem 30.0 times as fast as reader/writer locks, not 6.00');
});

it('a trace shows the variability of each condition', () => {
  const trace = (condition: string, round: number, txn_per_s: number[]): TraceRow => ({
    kind: 'trace',
    condition,
    round,
    window_s: 0.5,
    txn_per_s,
    closings: [1],
  });
  const traced = new Results([...rows, trace('rw+phasing', 0, [10, 30]), trace(FULL, 0, [40, 40]), trace('rw+phasing', 1, [10, 30])]);
  expect(summaryMarkdown(traced, authors)).toContain(`| rw+phasing | 20.0 | 0.50 | 10.0 |\n| ${FULL} | 40.0 | 0.00 | 40.0 |`);
  expect(summaryMarkdown(results, authors)).not.toContain('around closings');
});

it('conflicts are counted by pair of labels between two readings, and metrics matched by their full name', () => {
  const [before, after] = [new ConflictTable(), new ConflictTable()];
  before.add('Bid', 'Bid', 5);
  for (const [holder, waiter, count] of [
    ['Bid', 'Bid', 4],
    ['Bid', 'Bid', 3],
    ['Bid', 'View', 9],
  ] as const)
    after.add(holder, waiter, count);
  expect(after.since(before)).toEqual([
    { holder: 'Bid', waiter: 'View', count: 9 },
    { holder: 'Bid', waiter: 'Bid', count: 2 },
  ]);
  expect(valueIn('# HELP a_total x\na_total_more 1\na_total 2.5\n', 'a_total')).toBe(2.5);
  expect(() => valueIn('', 'a_total')).toThrow('tells no a_total');
});
