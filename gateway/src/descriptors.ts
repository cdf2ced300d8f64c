// The number of connections that fit into this process's limit of open files (`ulimit -n`). Connections leave some descriptors free:
// the log needs new ones from time to time, and a gateway whose log cannot open its next file has to end.
import { readFileSync } from 'node:fs';

/** files that a gateway has open without any connection, and those that its log, checkpoints, backups and spikes may need on top */
const RESERVED = 128;
/** connections to each other shard: the gateway's own clients, and the streams between shards */
const RESERVED_PER_SHARD = 4;
/** with fewer, a gateway refuses to start */
const CONNECTIONS_LEAST = 16;
/** REST and gRPC */
const SERVERS = 2;

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

/** The limit for each of the two servers, so that the callers of one cannot use up the other's connections. Throws TooFewDescriptors. */
export function connectionsPerServer(openFiles: number | undefined, shards: number): number {
  if (openFiles === undefined) return Infinity;
  const reserved = RESERVED + RESERVED_PER_SHARD * shards;
  const connections = Math.floor((openFiles - reserved) / SERVERS);
  if (connections >= CONNECTIONS_LEAST) return connections;
  throw new TooFewDescriptors(
    `this process may have ${openFiles} files open, and a gateway in a cluster of ${shards} needs at least ${reserved + SERVERS * CONNECTIONS_LEAST}: raise the limit (ulimit -n, LimitNOFILE)`,
  );
}
