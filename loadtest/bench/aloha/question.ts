// The requests to the driver process of `bench -- aloha`, and its answers.

/** How lists go: in epochs, by locks, or each operation as a native. */
export const WAYS = ['epoch', 'locks', 'none'] as const;
export type Way = (typeof WAYS)[number];

export interface Question {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  /** the gateways' processes */
  pids: number[];
  way: Way;
  /** operations of a list */
  size: number;
  /** lists in flight at once */
  inFlight: number;
  /** distinct records */
  keys: number;
  seed: number;
  seconds: number;
}

export interface Answer {
  /** lists committed, in the steady state */
  lists_per_s: number;
  /** From the begin until the client knows of the commit. */
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  /** of the commits, those in epochs */
  epoch_share: number;
  /** CPU time of the driver and of all gateways for each committed operation, in microseconds */
  client_us_per_op: number;
  gateway_us_per_op: number;
}
