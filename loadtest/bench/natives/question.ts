// The requests of the natives benchmark to its driver process.

/**
 * native       `claret.native`: operations outside any transaction
 * transaction  the same operations as one-shot transactions of one operation
 * redis        the same on a redis-server, by the npm package `redis` with one connection, which pipelines by itself
 */
export const MODES = ['native', 'transaction', 'redis'] as const;
export type Mode = (typeof MODES)[number];

export interface Question {
  /** host:port of the gateway's gRPC, or of the redis-server */
  address: string;
  /** of the server */
  pid: number;
  mode: Mode;
  /** measures nothing, and compares the server's counters with the acknowledged adds */
  checks?: boolean;
  seed: number;
  inFlight: number;
  seconds: number;
}
