// The number of connections that fit into this process's limit of open files (`ulimit -n`). Connections leave some descriptors free:
// the log needs new ones from time to time, and a gateway whose log cannot open its next file has to end.
import { readFileSync } from 'node:fs';
import { parseCluster } from './cluster.ts';
import { ownAddresses } from './config.ts';
import type { Config } from './config.ts';

/** files that a gateway has open without any connection, and those that its log, checkpoints, backups and spikes may need on top */
const RESERVED = 128;
/** connections to each other shard: the gateway's own clients, and the streams between shards */
const RESERVED_PER_SHARD = 4;
/** with fewer, a gateway refuses to start */
const CONNECTIONS_LEAST = 16;
/** REST and gRPC */
const SERVERS = 2;
/** Redis clients, and links to other doors: each client may need one to each */
const SHARES_OF_DOOR = 2;

/** The limit of open files is too low for a gateway; the message says what to do. */
export class TooFewDescriptors extends Error {
  override name = 'TooFewDescriptors';
}

/** The soft limit; undefined if the system does not report it. */
export function openFilesMax(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** The limit for each kind of connection, so that the callers of one server cannot use up another's. Throws TooFewDescriptors. */
export function connectionsPerServer(openFiles: number | undefined, shards: number, hasDoor = false): number {
  if (openFiles === undefined) return Infinity;
  const shares = SERVERS + (hasDoor ? SHARES_OF_DOOR : 0);
  const reserved = RESERVED + RESERVED_PER_SHARD * shards;
  const connections = Math.floor((openFiles - reserved) / shares);
  if (connections >= CONNECTIONS_LEAST) return connections;
  throw new TooFewDescriptors(
    `this process may have ${openFiles} files open, and a gateway in a cluster of ${shards} needs at least ${reserved + shares * CONNECTIONS_LEAST}: raise the limit (ulimit -n, LimitNOFILE)`,
  );
}

/** The same for a gateway of this process. */
export const connectionsOf = (config: Config): number =>
  connectionsPerServer(openFilesMax(), parseCluster(config.cluster).length, ownAddresses(config).resp !== undefined);
