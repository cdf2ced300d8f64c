// The benchmark's requests to its driver processes, and the responses. A driver serves one peer, and one point on it.

import type { Point } from '../paper/points.ts';
import type { WayName } from './ways.ts';

export interface LoadQuestion {
  ask: 'load';
  /** the peer's address: gateways' gRPC as host:port, or Redis' port */
  at: { addresses: string[] } | { port: number };
  point: Point;
  seed: number;
  rubis_items: number;
}

export interface CellQuestion {
  ask: 'cell';
  way: WayName;
  clients: number;
  warm_seconds: number;
  seconds: number;
  /** processes whose CPU time counts as the peer's */
  server_pids: number[];
  /** how long the Claret client polls after a frame */
  poll_us: number;
  /** connections of the pooled way */
  pool: number;
  /** the greatest delay before an optimistic transaction is retried; 0: at once */
  backoff_ms_max: number;
}

export type Question = LoadQuestion | CellQuestion;

export interface CellAnswer {
  txn_per_s: number;
  p50_ms: number;
  p99_ms: number;
  aborts_per_commit: number;
  /** given up in time; none of them was applied */
  failures: number;
  /** processor time, user and system, all threads, polling included */
  driver_us_per_txn: number;
  server_us_per_txn: number;
  /** CPUs used by processes other than driver and peer */
  others_cpu: number;
  /** differences between stored and acknowledged data */
  mismatches: string[];
}

export type Answer = CellAnswer | null;
