// What crash runs need of configuration.js, which start NATS servers as processes of their own.

export interface NatsPorts {
  client: number;
  cluster: number;
  http: number;
}

/** Of a server, which need not run. */
export interface NatsServer {
  name: string;
  /** of everything that it keeps */
  folder: string;
  /** its configuration */
  file: string;
  host: string;
  ports: NatsPorts;
}

/** How many servers a replicated log is on. */
export const NATS_SERVERS: number;
export const READY_PATH: string;

/** `hosts`: default: this machine's loopback address */
export function natsServers(dir: string, ports: readonly NatsPorts[], hosts?: readonly string[]): NatsServer[];
/** host:port for clients */
export function natsAddress(server: NatsServer): string;
/** base URL of its monitoring */
export function monitoringUrl(server: NatsServer): string;
export function newToken(): string;
/** Writes the configuration of all servers of a cluster. */
export function configure(servers: readonly NatsServer[], token: string): void;
/** The command that runs a server, which ends with its standard input. */
export function natsCommand(program: string, server: NatsServer): { command: string; args: string[] };
