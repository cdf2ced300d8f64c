// /metrics: what the core has counted, read at scrape time, beside what the process is doing. Prometheus text format.
//
// A registry of its own per gateway, so that two in one process do not mix. No key and no transaction's label is ever a
// label: those are error codes, causes and pairs of operations, all closed lists.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Counters } from '@claret/core';

const LAG_RESOLUTION_MS = 20;

export interface MetricsSource {
  counters(): Counters;
  /** interactive REST transactions that are open */
  interactiveCount(): number;
  /** of the process: calls into the core longer than 2 ms, time within the core, time spent polling in vain */
  host(): { longTurns: number; coreMs: number; polledMs: number };
}

export interface Metrics {
  /** the content of /metrics, and its content type */
  scrape(): Promise<string>;
  contentType: string;
  close(): void;
}

export function createMetrics(source: MetricsSource): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'claret_' });
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  // Taken once for a scrape: the core builds its whole conflict table for it.
  let counters = source.counters();
  const snapshot = { ...source, counters: () => counters };
  addTotals(registry, snapshot);
  addLevels(registry, snapshot);
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

// prom-client's counters only grow by steps, the core's are already summed: set them anew at each scrape.
function addTotals(registry: Registry, source: MetricsSource): void {
  const total = (name: string, help: string, read: (counters: Counters) => number) => {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        counter.reset();
        counter.inc(read(source.counters()));
      },
    });
  };
  const totals = (name: string, help: string, label: string, read: (counters: Counters) => [string, number][]) => {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [registry],
      labelNames: [label],
      collect() {
        counter.reset();
        for (const [value, count] of read(source.counters())) counter.inc({ [label]: value }, count);
      },
    });
  };
  const pairs: Counter = new Counter({
    name: 'claret_conflicts_total',
    help: 'Operations that had to wait or were denied, by what held the record and what came.',
    registers: [registry],
    labelNames: ['holder', 'comer'],
    collect() {
      pairs.reset();
      for (const { holderOperation, comerOperation, count } of source.counters().conflicts) {
        pairs.inc({ holder: holderOperation, comer: comerOperation }, count);
      }
    },
  });
  const waits = (read: (wait: { count: number; totalMs: number }) => number) => (counters: Counters) =>
    Object.entries(counters.waits).map(([cause, wait]): [string, number] => [cause, read(wait)]);

  total('claret_operations_total', 'Operations executed by this shard.', (c) => c.operations);
  total('claret_commits_total', 'Attempts committed on this shard.', (c) => c.commits);
  totals('claret_aborts_total', 'Attempts ended without a trace, by error code.', 'code', (c) => Object.entries(c.aborts));
  totals('claret_waits_total', 'Requests that had to wait at a gate, by cause.', 'cause', waits((w) => w.count));
  totals('claret_wait_seconds_total', 'Time that requests waited at gates.', 'cause', waits((w) => w.totalMs / 1000));
  total('claret_frames_in_total', 'Frames taken in.', (c) => c.framesIn);
  total('claret_frames_out_total', 'Frames given out.', (c) => c.framesOut);
  total('claret_conflicts_dropped_total', 'Conflicts that found the conflict table full.', (c) => c.conflictsDropped);
  total('claret_long_turns_total', 'Calls into the core that took longer than 2 ms.', () => source.host().longTurns);
  total('claret_core_seconds_total', 'Time within the core.', () => source.host().coreMs / 1000);
  total('claret_polled_seconds_total', 'Time spent polling for frames while none came.', () => source.host().polledMs / 1000);
}

function addLevels(registry: Registry, source: MetricsSource): void {
  const level = (name: string, help: string, read: () => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  };
  level('claret_attempts_in_flight', 'Attempts that have begun and not ended.', () => source.counters().attemptsInFlight);
  level('claret_shared_holders', 'Operations that sessions hold for their attempts to join.', () => source.counters().sharedHolders);
  level('claret_in_doubt', 'Attempts that hold their locks until other shards say how they ended.', () => source.counters().inDoubt);
  level('claret_waiting', 'Requests waiting at a gate.', () => source.counters().waiting);
  level('claret_records', 'Records that exist.', () => source.counters().records);
  level('claret_sessions', 'Open sessions.', () => source.counters().sessions);
  level('claret_watches', 'Standing watches.', () => source.counters().watches);
  level('claret_interactive_transactions', 'Interactive REST transactions that are open.', () => source.interactiveCount());
}

// The delay beyond the timer's own period, since the last scrape.
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
