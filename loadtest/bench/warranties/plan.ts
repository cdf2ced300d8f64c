// What a part of the benchmark runs, and what is expected of the figures.

import type { Warranties, WorkloadName } from './question.ts';

/** One line of the JSON file. */
export interface Figures {
  part: string;
  condition: Warranties;
  way: string;
  shards: number;
  users: number;
  in_flight: number;
  txn_per_s: number;
  slowest_txn_per_s: number;
  fastest_txn_per_s: number;
  /** to the same cell with the condition `off`; the median of the ratios within the rounds */
  over_off: number;
  messages_per_txn: number;
  /** share of the store's transactions that needed no message; a page has several */
  without_message: number;
  body_runs_per_write: number;
  retries_per_txn: number;
  /** of reads and changes together; null: none ended */
  mean_ms: number | null;
  read_p50_ms: number;
  read_p99_ms: number;
  /** null: nothing was changed */
  write_mean_ms: number | null;
  write_p50_ms: number | null;
  write_p99_ms: number | null;
  client_us_per_txn: number;
  gateway_us_per_txn: number[];
}

export interface CellPlan {
  condition: Warranties;
  way: string;
  inFlight: number;
}

/** A ratio of two cells' figures, or one cell's, with what it should be. */
export interface Target {
  what: string;
  value(of: (condition: Warranties, way: string) => Figures): number;
  least?: number;
  most?: number;
}

export interface PartPlan {
  part: string;
  workload: WorkloadName;
  /** the gateways' `warrantyUsesMin`, where a promise need not be worth while */
  usesMin?: number;
  shards: number;
  users: number;
  cells: readonly CellPlan[];
  targets: readonly Target[];
}
