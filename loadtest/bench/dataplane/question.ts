// The benchmark's requests to its driver process.

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
  /** single operations in a mode, or transactions of a shape; null: only check the counters */
  what: { mode: Mode; pollMicroseconds: number } | { shape: Shape } | null;
  seed: number;
  inFlight: number;
  seconds: number;
}
