// A real cluster for tests and benchmarks: gateway processes on 127.0.0.1, data sets if asked for, the sites' app servers.
// Nothing it starts outlives `stop()`, nor the process that called it.

export interface GatewayAddress {
  /** host:port */
  grpc: string;
  /** base URL, without a slash at its end */
  rest: string;
  pid: number;
}

/** Of a site. */
export interface AppServer {
  /** base URL, without a slash at its end */
  url: string;
  pid: number;
}

/** A server has ended without being asked to. */
export interface Death {
  /** "gateway 0", "auctions 1", "timelines 0" */
  name: string;
  code: number | null;
  signal: string | null;
  /** its newest output */
  lastLines: string[];
}

/** A data set of the auctions: quick to load, or as large as the paper's. */
export type Profile = 'small' | 'claret';

type Progress = (done: number, total: number, what: string) => void;

export interface ClusterOptions {
  /** gateways; default 2 */
  shards?: number;
  /** default 0 */
  auctionServers?: number;
  /** default 0 */
  timelineServers?: number;
  /** default 'free': ports that nobody listens on, away from the demo's */
  ports?: 'free' | { gateways: { rest: number; grpc: number }[]; auctions: number[]; timelines: number[] };
  /** the auctions' data set, loaded when the gateways are ready, before the app servers start; default none */
  profile?: Profile;
  /** the timelines' data set, loaded beside it: 2^graphScale people, 4 to 18; default none */
  graphScale?: number;
  /** of both */
  seed?: number;
  /**
   * where gateways keep data, one folder for each shard below it; 'temporary': a new folder, gone after `stop()`.
   * Default 'temporary' with free ports, else the gateway's own
   */
  dataDir?: 'temporary' | (string & {});
  /** what a crash may take (docs/operations.md); default 'none': data lives in memory */
  durability?: 'sync' | 'async' | 'none';
  /** added to the servers' environment; undefined takes a variable away */
  env?: Record<string, string | undefined>;
  /** the servers' working directory */
  cwd?: string;
  /** gateways serve the dashboard, where it is built, and run spikes for its laboratory; the sites link to it. Default false */
  dashboard?: boolean;
  /** quiet visitors on each site, who bid and post now and then (apps/site/visitors); default false */
  visitors?: boolean;
  /** given to every auction server: ['--auction-seconds-min', '5'] */
  auctionFlags?: string[];
  /** at one app server, from one address: all of a test's people come from 127.0.0.1. Default the app server's own */
  registrationsPerHour?: number;
  /** default 'warn' */
  logLevel?: string;
  /** each line a server writes */
  onLine?: (server: string, line: string, stream: 'stdout' | 'stderr') => void;
  onDeath?: (death: Death) => void;
  onProgress?: Progress;
  /** while gateways read what was kept: bytes done, bytes in all, and what that is so far */
  onRestoring?: Progress;
  /** the cluster before anything of it is ready: to be able to stop it meanwhile */
  onStarting?: (cluster: Cluster) => void;
}

export interface Cluster {
  /** in shard order */
  gateways: GatewayAddress[];
  auctions: AppServer[];
  timelines: AppServer[];
  /** base URL, without a slash at its end; null where the cluster was started without */
  dashboard: string | null;
  /** what gateways have read at their start, all together, and how long the slowest took */
  restored: { records: number; entries: number; seconds: number };
  /** App servers, then gateways: SIGTERM, and SIGKILL to what is still there after a grace. May be called again. */
  stop(): Promise<void>;
}

/** Resolves when every server is ready; rejects, with nothing left running, when one of them does not come up. */
export function startCluster(options?: ClusterOptions): Promise<Cluster>;

/** Loads those of the sites' data sets that are asked for; does nothing where they are already there. */
export function loadDataSets(options: {
  gateways: Pick<GatewayAddress, 'grpc'>[];
  profile?: Profile;
  graphScale?: number;
  seed?: number;
  env?: Record<string, string | undefined>;
  onProgress?: Progress;
}): Promise<void>;
