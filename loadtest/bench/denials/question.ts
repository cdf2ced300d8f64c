// The sweep's requests to its driver process, and the responses.

export type Locks = 'rw' | 'abstract';

/** The client's complete retry policy. */
export interface Policy {
  denialsMax: number;
  denialFirstUs: number;
  denialLongestUs: number;
  attemptFirstUs: number;
  attemptLongestUs: number;
}

export interface Question {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  alpha: number;
  /** transactions in flight at once */
  clients: number;
  policy: Policy;
  seed: number;
  seconds: number;
  /** the name of the sets: each cell has its own */
  name: string;
}

export interface Answer {
  /** committed, in the steady state */
  txn_per_s: number;
  retries_per_commit: number;
  denials_per_commit: number;
}
