// The requests of the snapshot benchmark to its driver processes, and the responses.

interface About {
  /** host:port of the gateways' gRPC */
  addresses: string[];
  seconds: number;
  /** the keys are this and a number */
  prefix: string;
  records: number;
}

/** How the reader reads; `nobody`: it does not. */
export type Reading = 'nobody' | 'snapshot' | 'serializable';

export type Question =
  | (About & { role: 'write'; inFlight: number; seed: number })
  | (About & { role: 'read'; isolation: 'snapshot' | 'serializable'; everyMs: number })
  | (About & { role: 'sum' });

export interface Writing {
  txn_per_s: number;
  /** for locks, of a transaction on average */
  waited_ms: number;
}

export interface Scanning {
  scans: number;
  /** the median */
  scan_ms: number;
  /** of a scan on average: for locks, or for outcomes */
  waited_ms: number;
  /** bodies that ran again, and snapshots that were taken again, of all scans */
  retries: number;
  moved: number;
}

export interface Answer {
  writing?: Writing;
  scanning?: Scanning;
  /** of all records */
  sum?: number;
}
