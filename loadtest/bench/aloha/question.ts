// The requests to the driver process of `bench -- aloha`, and its answers.

export type Way = 'epoch' | 'locks' | 'none';

export interface Question {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  way: Way;
  /** operations of a list */
  size: number;
  /** share of the lists that read; the others write */
  readShare: number;
  /** lists in flight at once */
  inFlight: number;
  /** distinct records */
  keys: number;
  /** records of which each list has one; 0: none */
  hotKeys: number;
  seed: number;
  seconds: number;
}

export interface Answer {
  /** committed, in the steady state */
  txn_per_s: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  /** of the commits, those in epochs */
  epoch_share: number;
}
