// The requests of the comfort-zone benchmark to its driver process, and the responses.

import type { Curve } from './curves.ts';
import type { Shares } from './traffic.ts';

interface At {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  /** base URLs of the gateways' REST */
  rests: string[];
  pids: number[];
  seed: number;
  warm_seconds: number;
  seconds: number;
  /** how long the client polls after a frame */
  poll_us: number;
}

/** One curve at one mix. The cluster has the curve's conditions. */
export interface CellQuestion extends At {
  ask: 'cell';
  curve: Curve;
  shares: Shares;
  /** natives and transactions in flight at once */
  clients: number;
}

/** Latencies of single operations (Mediator, Table 1). */
export interface LatencyQuestion extends At {
  ask: 'latency';
  sent: Sent;
  clients: number;
  alpha: number;
  /** transactions that run meanwhile; null: none */
  beside: { size: number; clients: number } | null;
}

/** How a single operation is sent: as a native, or as a transaction of its own. */
export type Sent = 'native' | 'transaction';

export type Question = CellQuestion | LatencyQuestion;

export interface Measured {
  /** length of the measured span */
  seconds: number;
  /** operations of natives and of committed transactions */
  ops_per_s: number;
  natives_per_s: number;
  /** committed, of those that the traffic calls transactions */
  txn_per_s: number;
  /** of those transactions; null: none ended in the span */
  txn_p50_ms: number | null;
  txn_p99_ms: number | null;
  retries_per_txn: number;
  /** CPU time per operation, in microseconds, of all gateways and of the driver */
  gateway_us_per_op: number;
  client_us_per_op: number;
  /** Operations and transactions that were given up without effect, in the whole cell including its warm-up. */
  failures: number;
  /** By the gateways' own count: natives executed, attempts begun, attempts that natives ended. */
  natives: number;
  begun: number;
  breaks: number;
}

export interface Latencies {
  count: number;
  p50_ms: number;
  p99_ms: number;
}

/** `mismatches`: differences between stored and acknowledged data. */
export type CellAnswer = Measured & { mismatches: string[] };
export type LatencyAnswer = Record<'read' | 'write', Latencies> & { mismatches: string[] };
export type Answer = CellAnswer | LatencyAnswer;
