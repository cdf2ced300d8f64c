// /metrics in Prometheus text format: the core's counters, read at scrape time, and metrics of the process.
//
// Each gateway has its own registry, so that two gateways in one process do not mix. A record's key is never a label. Labels are error
// codes, causes and pairs of operations, which are closed lists, and a bounded number of pairs of transaction labels.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { TOTALS, type TotalName } from '@claret/client/telemetry';
import type { Counters } from '@claret/core';
import type { ClockApart } from '../store/cluster-clocks.ts';
import type { Calls } from '../transaction/calls.ts';
import { addDurability } from './durability.ts';
import type { DurabilitySource } from './durability.ts';
import { LabelPairs, PAIRS_MAX } from './label-pairs.ts';
import { addLatencyHistogram } from './latency-histogram.ts';
import { addMoves } from './moves.ts';
import type { MovesSource } from './moves.ts';
import { addOwnership } from './ownership.ts';
import type { OwnershipSource } from './ownership.ts';
import { BREAK_REASONS, STAND_BACK_REASONS } from './reasons.ts';

const LAG_RESOLUTION_MS = 20;

export interface MetricsSource {
  counters(): Counters;
  /** open interactive REST transactions */
  interactiveCount(): number;
  /** one-shot transactions and natives of REST and unary gRPC */
  calls: Pick<Calls, 'inFlight' | 'shed'>;
  /** absent with durability none */
  durability?: (() => DurabilitySource) | undefined;
  moves(): MovesSource;
  /** absent in a cluster that is not replicated */
  ownership?: (() => OwnershipSource) | undefined;
  /** shards whose clocks are too far from this gateway's */
  clocksApart(): readonly ClockApart[];
  /** Redis clients that were let in */
  redisAccepted(): number;
  /** of the process: number of calls into the core that took longer than 2 ms, time in the core, time spent polling without a frame */
  host(): { longTurns: number; coreMs: number; polledMs: number };
}

export interface Metrics {
  /** the text of /metrics */
  scrape(): Promise<string>;
  contentType: string;
  close(): void;
}

export function createMetrics(source: MetricsSource): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'claret_' });
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  // Read once for each scrape, since the core builds its whole conflict table for each reading.
  let counters = source.counters();
  const snapshot = { ...source, counters: () => counters };
  addSums(registry, snapshot);
  addTotals(registry, snapshot);
  addConflicts(registry, snapshot);
  addLatencyHistogram(registry, snapshot.counters);
  addLevels(registry, snapshot);
  addClocks(registry, source);
  addMoves(registry, source.moves);
  if (source.durability) addDurability(registry, source.durability);
  if (source.ownership) addOwnership(registry, source.ownership);
  addLag(registry, lag);
  return {
    scrape: () => {
      counters = source.counters();
      return registry.metrics();
    },
    contentType: registry.contentType,
    close: () => {
      lag.disable();
      registry.clear();
    },
  };
}

type Read<T> = (counters: Counters) => T;

/** prom-client's counters only have increments, but the core's are totals, so the counter is reset and filled at each scrape. */
function summed<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
  fill: (counter: Counter<Label>) => void,
): void {
  const counter: Counter<Label> = new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      counter.reset();
      fill(counter);
    },
  });
}

const totalsIn = (registry: Registry, counters: () => Counters) => ({
  total: (name: string, help: string, read: Read<number>): void =>
    summed(registry, name, help, [], (counter) => counter.inc(read(counters()))),
  totals: (name: string, help: string, label: string, read: Read<[string, number][]>): void =>
    summed(registry, name, help, [label], (counter) => {
      for (const [value, count] of read(counters())) counter.inc({ [label]: value }, count);
    }),
});

/** The sums of the core that are shown by a label, with others or by word. */
const SHOWN_BY_LABEL: ReadonlySet<TotalName> = new Set<TotalName>([
  'commits',
  'homeCommits',
  'chainsBroken',
  'stoodBack',
  'grantsReturned',
  'grantsLapsed',
  'expects',
  'expectsChanged',
]);

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Every other plain sum, as server-core/src/counters/counters.def names and explains it. Times are in seconds. */
function addSums(registry: Registry, { counters }: MetricsSource): void {
  for (const { name, kind, meaning } of TOTALS) {
    if (SHOWN_BY_LABEL.has(name)) continue;
    const scale = kind === 'time' || kind === 'mostTime' ? 1000 : 1;
    const metric = `claret_${snake(name).replace('_ms', '_seconds')}`;
    const help = `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.`;
    const read = () => counters()[name] / scale;
    if (kind === 'count' || kind === 'time') summed(registry, `${metric}_total`, help, [], (counter) => counter.inc(read()));
    else addLevel(registry, metric, help, read);
  }
}

function addTotals(registry: Registry, { counters, host, calls, redisAccepted }: MetricsSource): void {
  const { total, totals } = totalsIn(registry, counters);
  const waits =
    (read: (wait: { count: number; totalMs: number }) => number): Read<[string, number][]> =>
    (c) =>
      Object.entries(c.waits).map(([cause, wait]) => [cause, read(wait)]);

  const home =
    'Attempts committed on this shard; home="true": their transaction began here, so that the sum over all shards counts each once.';
  totals('claret_commits_total', home, 'home', (c) => [
    ['true', c.homeCommits],
    ['false', c.commits - c.homeCommits],
  ]);
  totals('claret_aborts_total', 'Attempts ended without a trace, by error code.', 'code', (c) => Object.entries(c.aborts));
  totals('claret_chains_broken_total', 'Chains of which all that was undecided was undone, by reason.', 'reason', (c) =>
    BREAK_REASONS.map((reason) => [reason, c.breaks[reason] ?? 0]),
  );
  totals('claret_stood_back_total', 'Batches that took locks, since their outcomes did not come, by reason.', 'reason', (c) =>
    STAND_BACK_REASONS.map((reason) => [reason, c.standBacks[reason] ?? 0]),
  );
  totals(
    'claret_grants_ended_total',
    'Grants that have ended, by the way: returned, or lapsed, since the session was silent.',
    'way',
    (c) => [
      ['returned', c.grantsReturned],
      ['lapsed', c.grantsLapsed],
    ],
  );
  totals('claret_expects_total', 'Results compared with what transactions had used, by outcome.', 'outcome', (c) => [
    ['equal', c.expects - c.expectsChanged],
    ['changed', c.expectsChanged],
  ]);
  totals(
    'claret_waits_total',
    'Requests, natives and members of chains that had to wait, by cause (natives: native_wait; members: turn; the end of a promised result: warranty_wait; the end of a member of an epoch: epoch_wait).',
    'cause',
    waits((w) => w.count),
  );
  totals(
    'claret_wait_seconds_total',
    'Time that requests, natives and members of chains waited.',
    'cause',
    waits((w) => w.totalMs / 1000),
  );
  total(
    'claret_conflicts_dropped_total',
    'Conflicts that were not counted because the conflict table was full.',
    (c) => c.conflictsDropped,
  );
  summed(
    registry,
    'claret_shed_total',
    'Requests of REST and unary gRPC that were shed because of a limit, by error code.',
    ['door', 'code'],
    (counter) => {
      for (const { protocol, code, count } of calls.shed()) counter.inc({ door: protocol, code }, count);
    },
  );
  total(
    'claret_redis_accepted_total',
    'Connections of Redis clients that were let in, links from other gateways among them.',
    redisAccepted,
  );
  total('claret_long_turns_total', 'Calls into the core that took longer than 2 ms.', () => host().longTurns);
  total('claret_core_seconds_total', 'Time within the core.', () => host().coreMs / 1000);
  total('claret_polled_seconds_total', 'Time spent polling for frames while none came.', () => host().polledMs / 1000);
}

function addConflicts(registry: Registry, { counters }: MetricsSource): void {
  const pairs = (name: string, help: string, read: Read<{ holder: string; comer: string; count: number }[]>) =>
    summed(registry, name, help, ['holder', 'comer'], (counter) => {
      for (const { count, ...labels } of read(counters())) counter.inc(labels, count);
    });
  pairs(
    'claret_conflicts_total',
    'Operations that had to wait or were denied, that broke the holder as natives, or were executed again as it was taken out, by the holding operation and the coming one.',
    ({ conflicts }) =>
      conflicts.map(({ holderOperation, comerOperation, count }) => ({ holder: holderOperation, comer: comerOperation, count })),
  );
  const labels = new LabelPairs();
  const help = `The same, by the labels of the two transactions, or (native): ${PAIRS_MAX} pairs, and all others together.`;
  pairs('claret_label_conflicts_total', help, ({ conflicts }) => labels.read(conflicts));
}

function addLevel(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}

function addLevels(registry: Registry, source: MetricsSource): void {
  const level = (name: string, help: string, read: () => number) => addLevel(registry, name, help, read);
  level('claret_grants', 'Grants of promised results that stand.', () => source.counters().grantsStanding);
  level('claret_past_versions', 'Committed changes that are kept for reads of the past.', () => source.counters().pastVersions);
  level('claret_past_bytes', 'Memory of these changes.', () => source.counters().pastBytes);
  level('claret_attempts_in_flight', 'Attempts that have begun and not ended.', () => source.counters().attemptsInFlight);
  level('claret_undecided_members', 'Members of chains that have come and are not decided.', () => source.counters().undecidedMembers);
  level('claret_in_doubt', 'Attempts that hold their locks until other shards report their outcome.', () => source.counters().inDoubt);
  level('claret_waiting', 'Requests waiting at a gate.', () => source.counters().waiting);
  level('claret_records', 'Records that exist.', () => source.counters().records);
  level('claret_sessions', 'Open sessions.', () => source.counters().sessions);
  level('claret_watches', 'Active watches.', () => source.counters().watches);
  level('claret_redis_connections', 'Connections of Redis clients that are open.', () => source.counters().respConnections);
  level(
    'claret_calls_at_work',
    'One-shot transactions, and calls for native operations, of REST and unary gRPC in flight.',
    () => source.calls.inFlight,
  );
  level('claret_interactive_transactions', 'Interactive REST transactions that are open.', () => source.interactiveCount());
}

function addClocks(registry: Registry, { clocksApart }: MetricsSource): void {
  const gauge: Gauge<'shard'> = new Gauge({
    name: 'claret_clock_skew_seconds',
    help: "How far the clock of another shard's gateway is ahead of this one's; only for clocks that are too far apart. Transactions over both shards are refused.",
    labelNames: ['shard'],
    registers: [registry],
    collect() {
      gauge.reset();
      for (const { shard, aheadMs } of clocksApart()) gauge.set({ shard: String(shard) }, aheadMs / 1000);
    },
  });
}

// The delay beyond the timer's period, since the last scrape.
function addLag(registry: Registry, lag: ReturnType<typeof monitorEventLoopDelay>): void {
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000);
  const gauge: Gauge = new Gauge({
    name: 'claret_event_loop_lag_seconds',
    help: 'How late the event loop ran since the last scrape, by quantile.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of [0.5, 0.99, 1]) gauge.set({ quantile: String(quantile) }, seconds(lag.percentile(quantile * 100)));
      lag.reset();
    },
  });
}
