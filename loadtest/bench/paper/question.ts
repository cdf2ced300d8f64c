// The questions that the harness asks its driver process, and the answers. A driver serves one cluster, and one point on it; the
// first question loads that point.

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
  clients: number;
  warm_seconds: number;
  seconds: number;
  /** how long the client goes on polling after a frame */
  poll_us: number;
  /** tell who was in whose way */
  conflicts: boolean;
}

/** What came out so far, over the whole of the driver's life. */
export interface DistributionQuestion {
  ask: 'distributions';
}

export type Question = LoadQuestion | CellQuestion | DistributionQuestion;

export interface CellAnswer extends Measured {
  /** where what is stored differs from what was acknowledged */
  mismatches: string[];
}

/** By name: value, and how often it occurs. */
export type DistributionAnswer = Partial<Record<'followers' | 'reposts', [number, number][]>>;

export type Answer = CellAnswer | DistributionAnswer | Record<string, never>;
