// The requests to the driver processes of `bench -- aloha`, and their answers.

export type Way = 'epoch' | 'locks' | 'none';

interface Loop {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  /** transactions in flight at once; with arrivals, at most */
  inFlight: number;
  /** Transactions that arrive in a second, by a Poisson process. 0: each begins when another one has ended. */
  arrivalsPerSecond: number;
  seed: number;
  seconds: number;
  /** the gateways' processes, if nobody else uses them */
  pids: number[];
}

/** Lists of blind writes, or of reads, of distinct registers. */
export interface ListQuestion extends Loop {
  load: 'lists';
  way: Way;
  /** operations of a list */
  size: number;
  /** share of the lists that read; the others write */
  readShare: number;
  /** distinct records */
  keys: number;
  /** records of which each list has one; 0: none */
  hotKeys: number;
}

/** Interactive transactions, which take locks: each reads or adds to counters, and awaits each of its operations. */
export interface InteractiveQuestion extends Loop {
  load: 'interactive';
  size: number;
  readShare: number;
  keys: number;
}

export type Question = ListQuestion | InteractiveQuestion;

export interface Answer {
  /** committed, in the steady state */
  txn_per_s: number;
  /** From the begin, or from the arrival, until the client knows of the commit. */
  mean_ms: number;
  p50_ms: number;
  p99_ms: number;
  retries_per_commit: number;
  /** of the commits, those in epochs */
  epoch_share: number;
  /** CPU time of the driver and of all gateways for each committed operation, in microseconds; null: it was not measured */
  client_us_per_op: number | null;
  gateway_us_per_op: number | null;
}
