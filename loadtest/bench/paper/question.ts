// The harness's requests to a driver process, and the responses. A driver serves one cluster, and one point on it; the first request
// loads that point.

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
  /** Only the first driver, 0, loads data; each other one draws other work. By default 0. */
  driver?: number;
}

/** Begins a driver's share of a cell; it runs until `end`. */
export interface BeginQuestion {
  ask: 'begin';
  /** those whose CPU time is sampled */
  gateway_pids: number[];
  /** a condition's name; the cluster has been set to it */
  condition: string;
  sending: Sending;
  /** false: operations that answer nothing are sent as they are awaited */
  deferral: boolean;
  clients: number;
  /** how long the client polls after a frame */
  poll_us: number;
}

/** About the cell that runs: its commits so far; its counters; its end, once all begun transactions have ended. */
export interface RunningQuestion {
  ask: 'commits' | 'sample' | 'end';
}

/** About the cell that has ended: differences between stored and acknowledged data. */
export interface MismatchQuestion {
  ask: 'mismatches';
  /** `acknowledged` of each other driver */
  others: number[][];
}

/** The distributions so far, over the lifetime of the driver. */
export interface DistributionQuestion {
  ask: 'distributions';
}

export type Question = LoadQuestion | BeginQuestion | RunningQuestion | MismatchQuestion | DistributionQuestion;

/** Totals since the cell's beginning, or since the process's. */
export interface Sample {
  /** of the driver's own clock */
  at_ms: number;
  commits: number;
  retries: number;
  operations: number;
  polled_ms: number;
  /** of the event loop: active, including polling */
  awake_ms: number;
  own_us: number;
  gateways_us: number[];
  machine_us: number;
}

export interface Ended {
  /** of all transactions that committed between the last two samples */
  latencies_ms: number[];
  failures: number;
  /** see `Work` */
  acknowledged: number[];
}

/** A cell as all its drivers measured it. */
export interface CellAnswer extends Measured {
  /** differences between stored and acknowledged data */
  mismatches: string[];
}

/** By name: value, and how often it occurs. */
export type DistributionAnswer = Partial<Record<'followers' | 'reposts', [number, number][]>>;

export type Empty = Record<string, never>;

export type Answer = Empty | { commits: number } | Sample | Ended | string[] | DistributionAnswer;
