// The figures of the benchmark `site`, from its rounds: medians, ratios to the best peer, and what the ledgers say.

import { median } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { CpuUs, Plan } from './contenders.ts';
import { isBad, type Verdict } from './ledger.ts';
import type { Cost, Mix, Quantiles, SpanFigures } from './question.ts';

/** One span of the search for the highest rate. */
export interface Try {
  per_s: number;
  p99_ms: number;
  abandoned: number;
  /** with errors */
  outcomes: SpanFigures['outcomes'];
  late_p99_ms: number;
}

export const tryOf = (per_s: number, { all, abandoned, outcomes, late_p99_ms }: SpanFigures): Try => ({
  per_s,
  p99_ms: all.p99_ms,
  abandoned,
  outcomes,
  late_p99_ms,
});

/** One round of one contender. */
export interface Round {
  /** null: not even the lowest rate was held */
  highest_per_s: number | null;
  tries: readonly Try[];
  /** at the fixed rate */
  fixed: SpanFigures;
  cpu: CpuUs;
  /** of all spans of the round */
  verdicts: readonly Verdict[];
}

export interface Cell {
  mix: Mix;
  plan: Plan;
  rounds: Round[];
}

type Times = [p50_ms: number, p99_ms: number];

export interface Row extends Plan {
  mix: Mix;
  /** 0: not even the lowest rate was held */
  highest_per_s: number;
  highest_of_rounds: number[];
  /** round by round */
  tries: (readonly Try[])[];
  /** null: there is no peer */
  to_best_peer: number | null;
  change_ms: Times;
  page_ms: Times;
  lag_ms: Times;
  /** at the fixed rate, as all that follows */
  app_us_per_request: number;
  store_us_per_request: number;
  driver_us_per_request: number;
  requests_per_action: number;
  /** of the changes' answers */
  outbid_share: number;
  /** requests, over all rounds */
  shed: number;
  unanswered: number;
  failed: number;
  /** bids that no live reader was told of */
  unseen: number;
  /** the driver began its actions so much too late */
  late_p99_ms: number;
  acknowledged: number;
  duplicates: number;
  lost: number;
  contradictions: number;
  /** keys that were refused and acknowledged at the same time (ledger.ts) */
  mixed: number;
  costs: Record<string, Cost>;
}

const sumOf = <Item>(items: readonly Item[], value: (item: Item) => number): number => items.reduce((sum, item) => sum + value(item), 0);

/** `cells`: those of one mix and durability, which are compared. */
export function rowsOf(cells: readonly Cell[]): Row[] {
  const rows = cells.map(rowOf);
  const best = Math.max(...rows.filter(({ name }) => name !== 'claret').map(({ highest_per_s }) => highest_per_s));
  return rows.map((row) => ({ ...row, to_best_peer: best > 0 ? row.highest_per_s / best : null }));
}

function rowOf({ mix, plan, rounds }: Cell): Row {
  const middle = (value: (round: Round) => number) => median(rounds.map(value));
  const times = (of: (fixed: SpanFigures) => Quantiles): Times => [
    middle(({ fixed }) => of(fixed).p50_ms),
    middle(({ fixed }) => of(fixed).p99_ms),
  ];
  const spans = rounds.map(({ fixed }) => fixed);
  const verdicts = rounds.flatMap((round) => round.verdicts);
  return {
    ...plan,
    mix,
    highest_per_s: middle(({ highest_per_s }) => highest_per_s ?? 0),
    highest_of_rounds: rounds.map(({ highest_per_s }) => highest_per_s ?? 0),
    tries: rounds.map(({ tries }) => tries),
    to_best_peer: null,
    change_ms: times(({ kinds }) => kinds.change),
    page_ms: times(({ kinds }) => kinds.page),
    lag_ms: times(({ lag }) => lag),
    app_us_per_request: middle(({ cpu, fixed }) => cpu.app / fixed.requests),
    store_us_per_request: middle(({ cpu, fixed }) => cpu.store / fixed.requests),
    driver_us_per_request: middle(({ fixed }) => fixed.driver_us / fixed.requests),
    requests_per_action: middle(({ fixed }) => fixed.requests / fixed.drawn),
    outbid_share:
      sumOf(spans, ({ changes }) => changes.outbid) /
      Math.max(
        1,
        sumOf(spans, ({ kinds }) => kinds.change.count),
      ),
    shed: sumOf(spans, ({ outcomes }) => outcomes.shed),
    unanswered: sumOf(spans, ({ outcomes }) => outcomes.unknown),
    failed: sumOf(spans, ({ outcomes }) => outcomes.failed),
    unseen: sumOf(spans, ({ unseen }) => unseen),
    late_p99_ms: middle(({ fixed }) => fixed.late_p99_ms),
    acknowledged: sumOf(verdicts, ({ acknowledged }) => acknowledged),
    duplicates: sumOf(verdicts, ({ duplicates }) => duplicates),
    lost: sumOf(verdicts, ({ lost }) => lost),
    contradictions: sumOf(verdicts, ({ contradictions }) => contradictions),
    mixed: sumOf(verdicts, ({ mixed }) => mixed),
    costs: costsOf(spans),
  };
}

function costsOf(spans: readonly SpanFigures[]): Record<string, Cost> {
  const sums: Record<string, Cost> = {};
  for (const [label, cost] of spans.flatMap(({ costs }) => Object.entries(costs))) {
    const sum = (sums[label] ??= { transactions: 0, operations: 0, warranted: 0, retries: 0, batched: 0, locks_waited: 0 });
    for (const name of Object.keys(cost) as (keyof Cost)[]) sum[name] += cost[name];
  }
  return sums;
}

export const nameOf = ({ name, shards }: Pick<Plan, 'name' | 'shards'>): string =>
  shards === null ? name : `${name}, ${shards} ${shards === 1 ? 'shard' : 'shards'}`;

/** Two tables: speed, and what it costs and leaves behind. */
export function tablesOf(rows: readonly Row[]): string {
  const isPosts = rows[0]!.mix === 'post-heavy';
  const change = isPosts ? 'post' : 'bid';
  const pair = ([p50, p99]: Times) => `${p50.toFixed(1)}, ${p99.toFixed(1)}`;
  const speed = rows.map((row) => [
    nameOf(row),
    row.highest_per_s.toFixed(0),
    row.highest_of_rounds.map((one) => one.toFixed(0)).join(' '),
    row.to_best_peer === null ? '' : `${row.to_best_peer.toFixed(2)} x`,
    pair(row.change_ms),
    pair(row.page_ms),
    isPosts ? '' : pair(row.lag_ms),
  ]);
  const cost = rows.map((row) => [
    nameOf(row),
    row.app_us_per_request.toFixed(0),
    row.store_us_per_request.toFixed(0),
    row.driver_us_per_request.toFixed(0),
    row.late_p99_ms.toFixed(1),
    isPosts ? '' : `${(100 * row.outbid_share).toFixed(0)} %`,
    String(row.shed + row.unanswered + row.failed + row.unseen),
    ...[row.acknowledged, row.duplicates, row.lost].map((one) => one.toLocaleString('en')),
  ]);
  const times = [`${change} p50, p99 ms`, 'page p50, p99 ms', 'lag p50, p99 ms'];
  const cpu = ['app µs/request', 'store µs/request', 'driver µs/request', 'driver late p99 ms'];
  return [
    table(['contender', 'actions/s held', 'in each round', 'to best peer', ...times], speed),
    table(['contender', ...cpu, 'outbid', 'errors', `${change}s in all`, 'duplicates', 'lost'], cost),
  ].join('\n\n');
}

/** How the transactions of changes went, as far as the site tells it; null: it does not. */
export function wayOf({ mix, costs }: Row): string | null {
  const label = mix === 'post-heavy' ? 'Post' : 'Bid';
  const cost = costs[label];
  if (cost === undefined) return null;
  const { transactions, operations, warranted, retries, batched, locks_waited } = cost;
  const each = (sum: number) => (sum / transactions).toFixed(2);
  const parts = [
    `${each(operations)} operations`,
    `${each(warranted)} of them from memory`,
    `${each(retries)} repeated attempts`,
    `${each(locks_waited)} locks waited for`,
    `${((100 * batched) / transactions).toFixed(0)} % in a batch`,
  ];
  return `${transactions} transactions ${label}, each ${parts.join(', ')}`;
}

/** One sentence for each ledger that does not agree; empty: all do. */
export function mismatchesOf({ mix, plan, rounds }: Cell): string[] {
  return rounds.flatMap(({ verdicts }, round) =>
    verdicts.filter(isBad).map(({ subject, acknowledged, unknown, duplicates, lost, contradictions }) => {
      const where = `${nameOf(plan)}, durability ${plan.durability}, ${mix}, round ${round + 1}, ${subject}`;
      const told = `of ${acknowledged} acknowledged changes and ${unknown} without an answer`;
      return `MISMATCH: ${where}: ${told}, ${duplicates} duplicates, ${lost} lost, ${contradictions} answered in contradictory ways`;
    }),
  );
}
