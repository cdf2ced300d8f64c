// The questions that the benchmark asks its driver process.

import type { Shape } from './transactions.ts';

export const MODES = ['unary', 'message', 'batch'] as const;
export type Mode = (typeof MODES)[number];

export interface Gateways {
  /** host:port of gRPC */
  addresses: string[];
  pids: number[];
}

export interface Question {
  gateways: Gateways;
  /** operations one by one in a mode, or transactions of a shape; null: only check what the counters hold */
  what: { mode: Mode; pollMicroseconds: number } | { shape: Shape } | null;
  seed: number;
  inFlight: number;
  seconds: number;
}
