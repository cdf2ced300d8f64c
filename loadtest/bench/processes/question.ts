// The request of the benchmark of processes to its driver, and the answer. A driver is asked once.

export interface Question {
  address: string;
  /** of the gateway */
  pid: number;
  inFlight: number;
  warm_seconds: number;
  seconds: number;
  seed: number;
}

export interface Answer {
  txn_per_s: number;
  p99_ms: number;
  driver_us_per_txn: number;
  /** CPUs used by processes other than driver and gateway */
  others_cpu: number;
  /** of the time, with the driver at a standstill */
  collecting_share: number;
  longest_collection_ms: number;
  /** of the young objects: moved to the old generation by collections of the young one */
  promoted_share: number;
  /** differences between stored and acknowledged data */
  mismatches: string[];
}
