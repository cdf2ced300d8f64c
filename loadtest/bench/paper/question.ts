// The harness's requests to its driver process, and the responses. A driver serves one cluster, and one point on it; the first
// request loads that point.

import type { Point, Sending } from './points.ts';
import type { Measured } from './raw.ts';

export interface LoadQuestion {
  ask: 'load';
  /** host:port of the gateways' gRPC */
  addresses: string[];
  point: Point;
  seed: number;
  /** log2 of the number of people */
  retwis_scale: number;
  rubis_items: number;
}

export interface CellQuestion {
  ask: 'cell';
  /** base URLs of the gateways' REST */
  rests: string[];
  gateway_pids: number[];
  /** a condition's name; the cluster has been set to it */
  condition: string;
  sending: Sending;
  /** false: operations that answer nothing are sent as they are awaited */
  deferral: boolean;
  clients: number;
  warm_seconds: number;
  seconds: number;
  /** how long the client polls after a frame */
  poll_us: number;
  /** report conflicts by pair of labels */
  conflicts: boolean;
}

/** The distributions so far, over the lifetime of the driver. */
export interface DistributionQuestion {
  ask: 'distributions';
}

export type Question = LoadQuestion | CellQuestion | DistributionQuestion;

export interface CellAnswer extends Measured {
  /** differences between stored and acknowledged data */
  mismatches: string[];
}

/** By name: value, and how often it occurs. */
export type DistributionAnswer = Partial<Record<'followers' | 'reposts', [number, number][]>>;

export type Answer = CellAnswer | DistributionAnswer | Record<string, never>;
