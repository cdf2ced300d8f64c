// The rows of a results folder's raw.jsonl, one JSON object per line, in the order of measurement.

import type { RunRow as AnyRunRow } from '../paper/raw.ts';
import type { Curve } from './curves.ts';
import type { Latencies, Measured, Sent } from './question.ts';

export interface RunRow extends AnyRunRow {
  benchmark: 'mediator';
}

/** Traffic whose curves are compared with each other over the share of natives. */
export interface Workload {
  shards: number;
  /** transactions have 1 to `size` operations */
  size: number;
  /** skew; 0: uniform */
  alpha: number;
  /** share of reads */
  reads: number;
}

export interface CellRow extends Workload, Measured {
  kind: 'cell';
  /** share of natives */
  share: number;
  curve: Curve;
  round: number;
}

/** Single operations, alone or beside transactions of 1 to `beside` operations. */
export interface LatencyRow extends Latencies {
  kind: 'latency';
  sent: Sent;
  beside: number | null;
  operation: 'read' | 'write';
  round: number;
}

export type Row = RunRow | CellRow | LatencyRow;

export const nameOf = ({ shards, size, alpha, reads }: Workload): string => [shards, size, alpha, reads].join();
