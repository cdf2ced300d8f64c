// Made-up rows for tests of derived files, marked as such.

import type { CellRow, RunRow } from './raw.ts';

export const runRow = (options: RunRow['options'] = {}): RunRow => ({
  kind: 'run',
  commit: 'c0ffee',
  dirty: false,
  begun_at: '2026-01-02T03:04:05.000Z',
  seed: 1,
  machine: { cpu: 'a made-up one', cores: 2, memory_gib: 8, kernel: '6.0', node: '24.0.0' },
  options: { shards: '1', poll: '300', durability: 'none', 'rubis-items': '30000', 'retwis-scale': '16', ...options },
});

/** rawmix at alpha 1, interactive, 64 clients, first round, by default */
export const cellRow = (what: Partial<CellRow>): CellRow => ({
  kind: 'cell',
  workload: 'rawmix',
  point: 'alpha=1 update=0.5',
  sending: 'interactive',
  clients: 64,
  condition: 'none',
  round: 0,
  shards: 1,
  seed: 1,
  seconds: 1,
  txn_per_s: 1000,
  p50_ms: 1,
  p99_ms: 2,
  mean_ms: 1,
  retries_per_commit: 0,
  failures: 0,
  operations_per_commit: 4,
  driver_cpu: 0.9,
  driver_polling: 0.2,
  gateway_cpu: [0.8],
  gateway_polling: [0.1],
  others_cpu: 0,
  client_us_per_op: 0.5,
  core_us_per_op: 0.2,
  ...what,
});
