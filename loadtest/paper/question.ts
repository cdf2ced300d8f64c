// What the harness asks its driver process to run, and what that answers.

import type { Point, Sending } from './points.ts';

export interface Question {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  gateway_pids: number[];
  point: Point;
  /** a condition's name; the cluster has been set to it */
  condition: string;
  sending: Sending;
  clients: number;
  seconds: number;
  seed: number;
  /** how long the client goes on polling after a frame */
  poll_us: number;
  /** log2 of the number of people */
  retwis_scale: number;
  rubis_items: number;
  /** different for every question: sets start empty */
  run: string;
}

export interface Answer {
  txn_per_s: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  /** given up in time; none of it was applied */
  failures: number;
  /** of one CPU, over the measured time */
  driver_cpu: number;
  gateway_cpu: number[];
}
