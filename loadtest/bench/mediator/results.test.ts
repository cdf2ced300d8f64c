import { expect, test } from 'vitest';
import { drawSheet } from '../../kit/figures/sheet.ts';
import { comfortZones, equilibria } from './figures.ts';
import type { CellRow } from './raw.ts';
import { opsPerCpuSecond, Results } from './results.ts';
import { geometricMean, goalsOf, steepestFall, summaryMarkdown } from './summary.ts';
import { cellRow, latencyRow, runRow } from './testing.ts';

const WORKLOAD = { shards: 1, size: 4, alpha: 1, reads: 0.5 };
const [SHARES, CURVES] = [
  [0, 0.5, 1],
  ['bound', 'mediator', 'transactional'],
] as const;

/** One row for each share and curve, with the throughputs of the table's rows. */
const cells = (speeds: readonly (readonly number[])[], what: Partial<CellRow> = {}) =>
  SHARES.flatMap((share, i) => CURVES.map((curve, j) => cellRow({ share, curve, ops_per_s: speeds[j]![i]!, ...what })));

const WINS = [
  [1000, 1000, 1000],
  [300, 500, 960],
  [300, 250, 200],
];

test('figures are medians over the rounds', () => {
  const rows = [100, 700, 300].map((ops_per_s, round) => cellRow({ ops_per_s, round, txn_p99_ms: round === 1 ? null : 5 }));
  const results = new Results([runRow(), ...rows]);
  expect(results.rounds).toBe(3);
  expect(results.at(WORKLOAD, 0.5, 'mediator')).toMatchObject({
    rounds: 3,
    ops_per_s: 300,
    slowest_ops_per_s: 100,
    fastest_ops_per_s: 700,
    txn_p99_ms: 5,
    breaks_per_txn: 0.1,
  });
  expect(results.at(WORKLOAD, 0.5, 'bound')).toBeNull();
});

test('a ratio is the median of the ratios within the rounds', () => {
  const rows = [
    [100, 50],
    [900, 300],
    [400, 100],
  ].flatMap(([mediator, transactional], round) => [
    cellRow({ round, ops_per_s: mediator! }),
    cellRow({ round, ops_per_s: transactional!, curve: 'transactional' }),
  ]);
  expect(new Results([runRow(), ...rows]).ratios(WORKLOAD, 'mediator', 'transactional')).toEqual([{ share: 0.5, ratio: 3 }]);
});

test('speed by CPU time counts gateways and driver together', () => {
  const rows = [
    cellRow({ gateway_us_per_op: 1, client_us_per_op: 3 }),
    cellRow({ gateway_us_per_op: 4, client_us_per_op: 4, curve: 'transactional' }),
  ];
  const results = new Results([runRow(), ...rows]);
  expect(results.ratios(WORKLOAD, 'mediator', 'transactional', opsPerCpuSecond)).toEqual([{ share: 0.5, ratio: 2 }]);
  expect(results.ratios(WORKLOAD, 'mediator', 'transactional')).toEqual([{ share: 0.5, ratio: 1 }]);
});

test('each goal counts the workloads that meet it, and names the worst', () => {
  const loses = cells(
    [
      [1000, 1000, 1000],
      [300, 100, 90],
      [300, 250, 100],
    ],
    { reads: 0.9 },
  );
  const goals = goalsOf(new Results([runRow(), ...cells(WINS), ...loses]));
  expect(goals.map(({ met, of }) => [met, of])).toEqual([
    [1, 2],
    [2, 2],
    [1, 2],
    [1, 2],
    [2, 2],
  ]);
  expect(goals.map(({ worst }) => worst)).toEqual([
    'never (1 shard, U4, alpha 1, 90 % reads)',
    '1.00 (1 shard, U4, alpha 1, 50 % reads)',
    '0.90 (1 shard, U4, alpha 1, 90 % reads)',
    '0.67 (1 shard, U4, alpha 1, 90 % reads)',
    '0.00 (1 shard, U4, alpha 1, 50 % reads)',
  ]);
});

test('a curve that only rises has no fall', () => {
  expect(steepestFall([1, 2, 2, 5])).toBe(0);
  expect(steepestFall([4, 5, 4, 2])).toBe(0.5);
});

test('the summary has a row for each workload, and the latencies', () => {
  const latencies = (['read', 'write'] as const).flatMap((operation) =>
    [3, 1, 2].map((p50_ms, round) => latencyRow({ operation, round, p50_ms, beside: 20 })),
  );
  const text = summaryMarkdown(new Results([runRow(), ...cells(WINS), ...latencies]), ['a.svg']);
  expect(text).toContain(
    '| 1 shard, U4, alpha 1, 50 % reads | 0.30 (1.00; 0.30) | 0.50 (2.00; 0.50) | 0.96 (4.80; 0.96) | 0 % (0 % to 5 %) |',
  );
  expect(text).toContain('| a native | transactions of 1 to 20 | 2.00; 2.00 | 2.00; 2.00 |');
  expect(text).toContain('![a](a.svg)');
});

test('the summary has the mean over all workloads, with the range between them', () => {
  const others = cells([WINS[0]!, [300, 1000, 400], WINS[2]!], { size: 20 });
  const text = summaryMarkdown(new Results([runRow(), ...cells(WINS), ...others]), []);
  expect(text).toContain(
    '| reads and adds, which conflict: throughput | 1.00 (1.00 to 1.00) | 2.83 (2.00 to 4.00) | 3.10 (2.00 to 4.80) |',
  );
  expect(text).not.toContain('reads alone');
  expect(geometricMean([2, 8])).toBeCloseTo(4);
});

test('there is a sheet for each number of shards and skew, and one of the equilibria', () => {
  const rows = [...cells(WINS), ...cells(WINS, { size: 20 }), ...cells(WINS, { alpha: 0 }), ...cells(WINS, { shards: 2 })];
  const results = new Results([runRow(), ...rows]);
  const figures = [...comfortZones(results), equilibria(results)!];
  expect(figures.map(({ name }) => name)).toEqual([
    'mediator-1-shard-alpha-1',
    'mediator-1-shard-uniform',
    'mediator-2-shards-alpha-1',
    'mediator-equilibrium',
  ]);
  for (const { sheet } of figures) expect(drawSheet(sheet)).toMatch(/^<svg .*<\/svg>$/s);
  expect(drawSheet(figures[0]!.sheet).match(/data-condition="mediator"/g)).toHaveLength(2);
});

test('without ratios there is no sheet of equilibria', () => {
  expect(equilibria(new Results([runRow(), cellRow({})]))).toBeNull();
});
