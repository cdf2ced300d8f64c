// The requests of the warranties benchmark to its driver processes, and the answers. A driver is one app server: one client of the store.

/** topn and oo7 are the paper's (Liu et al., section 7); phases is its table of section 5; rubis and retwis stand for its course management. */
export const WORKLOADS = ['topn', 'oo7', 'rubis', 'retwis', 'phases', 'delay'] as const;
export type WorkloadName = (typeof WORKLOADS)[number];

export type Warranties = 'off' | 'auto';

/** How much the sites have. */
export interface Sizes {
  rubis_items: number;
  /** there are 2 to this power people */
  retwis_scale: number;
}

export interface LoadQuestion extends Sizes {
  ask: 'load';
  workload: WorkloadName;
  /** host:port of the gateways' gRPC */
  addresses: string[];
  /** tells drivers apart; the first one loads the records */
  driver: number;
  /** topn: how many people there are */
  users: number;
  seed: number;
}

export interface CellQuestion {
  ask: 'cell';
  /** of the workload: how its transactions are sent */
  way: string;
  /** in force; the driver waits until it has been told */
  warranties: Warranties;
  inFlight: number;
  seconds: number;
  gateway_pids: number[];
}

export interface CheckQuestion {
  ask: 'check';
  /** what the other drivers have told (`DriverTotals`) */
  others: DriverTotals[];
}

export type Question = LoadQuestion | CellQuestion | CheckQuestion | { ask: 'totals' };

/** By record: what acknowledged transactions have added up to. */
export type DriverTotals = Readonly<Record<string, number>>;

export interface Measured {
  seconds: number;
  reads: number;
  writes: number;
  /** the store's own: a page has several */
  transactions: number;
  /** milliseconds, of all */
  read_ms: number[];
  write_ms: number[];
  /** frames that the client has sent */
  messages: number;
  /** transactions without a message */
  answers: number;
  retries: number;
  body_runs: number;
  client_us: number;
  /** of each gateway */
  gateway_us: number[];
}

export interface Answer {
  measured?: Measured;
  totals?: DriverTotals;
  mismatches?: string[];
}
