// NATS servers with JetStream on this machine, with everything that a replicated log asks of them: synced writes, a token, a cluster of
// three.

export interface NatsOptions {
  /** servers, 1 or 3; default 3 */
  count?: number;
  /** where they keep their data and configuration: it is there at the next start. Default: a temporary folder, removed by `stop` */
  dir?: string;
  /** default: a random one */
  token?: string;
  /** path of nats-server; default: the one that scripts/setup installs */
  program?: string;
  /** called with each line that a server writes */
  onLine?: (server: string, line: string) => void;
  /** A server has ended, and neither `kill` nor `stop` was called. */
  onDeath?: (death: { name: string; code: number | null; signal: string | null; lastLines: string[] }) => void;
}

export interface NatsServers {
  /** host:port of each, for clients; the same for as long as this object lives */
  addresses: string[];
  token: string;
  /** Sends a signal; default SIGKILL. After SIGKILL and SIGTERM, resolves when the server has ended. SIGSTOP freezes it until SIGCONT. */
  kill(server: number, signal?: NodeJS.Signals): Promise<void>;
  /** Starts a server that has ended again, with the data that it had. */
  start(server: number): void;
  /** Resolves when all servers that run agree on a leader. REQUIRES: none is frozen. */
  ready(): Promise<void>;
  /** Stops all. May be called repeatedly. */
  stop(): Promise<void>;
}

/** Resolves when the servers are ready; rejects with a Problem, with no process left running, if one does not start. */
export function startNatsServers(options?: NatsOptions): Promise<NatsServers>;
