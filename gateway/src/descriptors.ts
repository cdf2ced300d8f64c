// How many connections fit into the number of open files that this process may have (`ulimit -n`). The log needs descriptors of its own, now and
// again new ones, and a gateway whose log cannot open its next file has to end: so connections leave some free.
import { readFileSync } from 'node:fs';

/** What a gateway has open without any connection, and what its log, checkpoints, backups and spikes may need on top. */
const RESERVED = 128;
/** To each other shard: its own clients, and what shards tell each other. */
const RESERVED_PER_SHARD = 4;
/** Less is no gateway. */
const CONNECTIONS_LEAST = 16;
const DOORS = 2;

/** The message says what to do. */
export class TooFewDescriptors extends Error {
  override name = 'TooFewDescriptors';
}

/** Undefined where the system does not say it. */
export function openFilesMax(): number | undefined {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}

/** At each of the two doors, REST and gRPC, so that neither can be shut by the other's callers. Throws TooFewDescriptors. */
export function connectionsPerDoor(openFiles: number | undefined, shards: number): number {
  if (openFiles === undefined) return Infinity;
  const reserved = RESERVED + RESERVED_PER_SHARD * shards;
  const connections = Math.floor((openFiles - reserved) / DOORS);
  if (connections >= CONNECTIONS_LEAST) return connections;
  throw new TooFewDescriptors(
    `this process may have ${openFiles} files open, and a gateway in a cluster of ${shards} needs at least ${reserved + DOORS * CONNECTIONS_LEAST}: raise the limit (ulimit -n, LimitNOFILE)`,
  );
}
