// Made-up rows for tests of derived files, marked as such.

import type { CellRow, LatencyRow, RunRow } from './raw.ts';

export const runRow = (): RunRow => ({
  kind: 'run',
  benchmark: 'mediator',
  commit: 'c0ffee',
  dirty: false,
  begun_at: '2026-01-02T03:04:05.000Z',
  seed: 1,
  machine: { cpu: 'a made-up one', cores: 2, memory_gib: 8, kernel: '6.0', node: '24.0.0' },
  options: { clients: '256', durability: 'none' },
});

/** Natives beside transactions on one shard, U4, alpha 1, half reads, half natives, first round, by default. */
export const cellRow = (what: Partial<CellRow>): CellRow => ({
  kind: 'cell',
  shards: 1,
  size: 4,
  alpha: 1,
  reads: 0.5,
  share: 0.5,
  curve: 'mediator',
  round: 0,
  seconds: 1,
  ops_per_s: 1000,
  natives_per_s: 500,
  txn_per_s: 200,
  txn_p50_ms: 1,
  txn_p99_ms: 2,
  retries_per_txn: 0,
  gateway_us_per_op: 1,
  client_us_per_op: 1,
  failures: 0,
  natives: 500,
  begun: 200,
  breaks: 20,
  ...what,
});

export const latencyRow = (what: Partial<LatencyRow>): LatencyRow => ({
  kind: 'latency',
  sent: 'native',
  beside: null,
  operation: 'read',
  round: 0,
  count: 100,
  p50_ms: 1,
  p99_ms: 2,
  ...what,
});
