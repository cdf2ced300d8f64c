// A real cluster for tests and benchmarks: gateway processes on 127.0.0.1, the NATS servers of a replicated log, optional data sets, the
// sites' app servers. No process outlives `stop()` or the process that called it.

export interface GatewayAddress {
  /** host:port */
  grpc: string;
  /** base URL, without a trailing slash */
  rest: string;
  /** host:port of its Redis door; absent: it has none */
  resp?: string;
  /** of its present process */
  pid: number;
}

/** An app server of a site. */
export interface AppServer {
  /** base URL, without a trailing slash */
  url: string;
  /** of its present process */
  pid: number;
}

/** A server of a replicated log. */
export interface NatsServer {
  /** host:port, for clients */
  address: string;
  /** base URL of its monitoring */
  monitoring: string;
  /** of its present process */
  pid: number;
}

/** A process that has ended unexpectedly. */
export interface Death {
  /** "gateway 0", "NATS server 2", "auctions 1", "timelines 0", "visitors of rubis" */
  name: string;
  code: number | null;
  signal: string | null;
  /** its last lines of output */
  lastLines: string[];
  /** the pause until it is started again; null: it is not */
  againInMs: number | null;
  /** why not: it refused to run (exit code 2), or it died too often; null: it was never ready, or `restarts` is missing */
  givenUp: 'refused' | 'unsteady' | null;
  /** of a replicated cluster: what there is without the process. `kind`: of the process; `shard`: the one that it owned */
  remaining?: { kind: string; shard: number | null; standbys: number; natsServers: number };
}

/** A process that was started again and is ready. */
export interface Back {
  name: string;
  /** since its death; with several in a row, since the first */
  awayMs: number;
  /** of a replicated cluster: a gateway that owns no shard now */
  isStandby?: boolean;
}

/** A shard of a replicated cluster is served by another gateway, or again by the one that had died. */
export interface Move {
  shard: number;
  /** the name of its gateway, and that of the one before */
  owner: string;
  before: string;
  /** since the death of the one before; null: it was not seen to die */
  awayMs: number | null;
}

/** When a process that has died is started again; the defaults are in scripts/run/restarts.js */
export interface RestartLimits {
  /** the first pause; it doubles with each death within `withinMs` */
  firstMs: number;
  /** the longest pause */
  longestMs: number;
  /** a process with so many deaths within `withinMs` is given up */
  deathsMax: number;
  withinMs: number;
}

/** A data set of the auctions: quick to load, or as large as the paper's. */
export type Profile = 'small' | 'claret';

type Progress = (done: number, total: number, what: string) => void;

export interface Ports {
  /** in shard order; `resp`: of its Redis door, if it is to have one */
  gateways: { rest: number; grpc: number; resp?: number }[];
  /** of a replicated cluster */
  standbys?: { rest: number; grpc: number; resp?: number }[];
  /** of a replicated cluster: for clients, between the servers, of the monitoring */
  nats?: { client: number; cluster: number; http: number }[];
  auctions: number[];
  timelines: number[];
}

export interface ClusterOptions {
  /** gateways, each one shard; default 2 */
  shards?: number;
  /** the number of the first of them among which the slots were dealt at first; default: all. The others joined later */
  dealtShards?: number;
  /**
   * logs on three NATS servers, which this starts, and further gateways that own no shard until one is without an owner: `standbys`,
   * default 1. Default: each log is local
   */
  replicated?: boolean | { standbys: number };
  /** default 0 */
  auctionServers?: number;
  /** default 0 */
  timelineServers?: number;
  /** default 'free': unused ports, away from the demo's */
  ports?: 'free' | Ports;
  /** with free ports: each gateway has a Redis door; default false */
  redis?: boolean;
  /** the auctions' data set, loaded when the gateways are ready, before the app servers start; default none */
  profile?: Profile;
  /** the timelines' data set, loaded beside it: 2^graphScale people, 4 to 18; default none */
  graphScale?: number;
  /** seed of both data sets */
  seed?: number;
  /**
   * the gateways' data directory, with one subfolder for each shard, or for each gateway and NATS server of a replicated cluster;
   * 'temporary': a new folder, removed after `stop()`. Default: 'temporary' with free ports or if replicated, else the gateway's own
   */
  dataDir?: 'temporary' | (string & {});
  /** what a crash may lose (docs/operations.md); default 'none': data is kept in memory. A replicated cluster has 'sync' */
  durability?: 'sync' | 'async' | 'none';
  /** added to the servers' environment; undefined removes a variable */
  env?: Record<string, string | undefined>;
  /** the servers' working directory */
  cwd?: string;
  /** gateways serve the dashboard, if it is built, and run spikes for its laboratory; the sites link to it. Default false */
  dashboard?: boolean;
  /** a few visitors on each site, who bid and post now and then (apps/site/visitors); default false */
  visitors?: boolean;
  /** passed to every gateway: ['--warranty-term-ms', '5000'] */
  gatewayFlags?: string[];
  /** passed to every auction server: ['--auction-seconds-min', '5'] */
  auctionFlags?: string[];
  /** limit per app server and address; all of a test's users come from 127.0.0.1. Default: the app server's own */
  registrationsPerHour?: number;
  /** default 'warn' */
  logLevel?: string;
  /** called with each line that a server writes */
  onLine?: (server: string, line: string, stream: 'stdout' | 'stderr') => void;
  /** processes that die after they were ready are started again, on the same ports and data; {}: with the default limits. Default: not */
  restarts?: Partial<RestartLimits>;
  onDeath?: (death: Death) => void;
  onBack?: (back: Back) => void;
  onMove?: (move: Move) => void;
  onProgress?: Progress;
  /** while gateways restore their data: bytes done, bytes in total, and a description of the amount so far */
  onRestoring?: Progress;
  /** called with the cluster before any server is ready, so that it can be stopped while it starts */
  onStarting?: (cluster: Cluster) => void;
}

export interface Cluster {
  /** those that the shards were given to, in shard order, then those that began as standbys */
  gateways: GatewayAddress[];
  /** The gateways that own the shards, as the gateways know it now; in shard order. Rejects with a Problem if none of them answers. */
  owners(): Promise<GatewayAddress[]>;
  /** none, unless the cluster is replicated */
  natsServers: NatsServer[];
  /** the file with the token of these; null: there are none */
  natsTokenFile: string | null;
  auctions: AppServer[];
  timelines: AppServer[];
  /** base URL, without a trailing slash; null if the cluster was started without it */
  dashboard: string | null;
  /**
   * what gateways have restored at their start, in total, and the time of the slowest; of a replicated cluster, without what they had followed
   * before they took their shards
   */
  restored: { records: number; entries: number; seconds: number };
  /**
   * Starts a further gateway, on unused ports, and resolves when it is ready: the last of `gateways`. Its shard owns no slots, which then
   * move to it (POST /v1/admin/moves). Rejects with a Problem if the cluster is replicated.
   */
  joinShard(): Promise<void>;
  /** Stops app servers, then gateways, then NATS servers: SIGTERM, and SIGKILL after a grace period. May be called repeatedly. */
  stop(): Promise<void>;
}

/** Resolves when every server is ready; rejects, with no process left running, if one of them does not start. */
export function startCluster(options?: ClusterOptions): Promise<Cluster>;

/** Loads the requested data sets of the sites; skips those that are already loaded. */
export function loadDataSets(options: {
  gateways: Pick<GatewayAddress, 'grpc'>[];
  profile?: Profile;
  graphScale?: number;
  seed?: number;
  env?: Record<string, string | undefined>;
  onProgress?: Progress;
}): Promise<void>;
