// A backup of the whole cluster, coordinated by the gateway that receives the request. All shards agree on one cut; then their backups
// are written one after the other. Why the cut is one state of the cluster: docs/decisions/0018-backup.md.
//
// Memory is bounded: each shard's stream applies backpressure, and the next chunk is requested when the last one has been sent.
import { SLOT_COUNT } from '@claret/client';
import type { Environment } from '@claret/client';
import { GatewayError } from '../errors.ts';
import { shardEnvironment } from '../store/environment.ts';
import { FORMAT, HEADER_BYTES, Kind, MAGIC, NO_SHARD, decodeHeader, encodeChunk, jsonPayload } from './format.ts';
import type { BackupBegin } from './format.ts';
import type { ShardBackup, ShardBackupPrepared, ShardBackupReady } from './shard-backup.ts';

/** The cut lies this far ahead of all clocks, so that no clock has passed it when its shard learns of it; further at each try. */
const MARGINS_MS = [25, 100, 400, 1_600];
const TICKS_PER_MS = 4_000n;
const SHARD_BITS = 8n;

/** A reader that takes nothing for this long is cut off: it blocks the next backup, and its snapshot holds disk space. */
export const STALLED_MS_MAX = 5 * 60_000;

export interface ClusterBackupDependencies {
  /** One for each shard, in order; those of other shards through their gateways. Throws no_log, shard_unavailable, backup_running. */
  openShardBackups(): ShardBackup[];
  wallMs(): number;
}

export interface RunningBackup {
  clusterName: string;
  /** the whole file */
  file: AsyncGenerator<Buffer>;
  /** Ends the backup at any point. */
  close(): void;
}

export class ClusterBackup {
  private readonly dependencies: ClusterBackupDependencies;
  private running: ShardBackup[] | null = null;

  constructor(dependencies: ClusterBackupDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Resolves when all shards have passed the cut. Throws no_log, backup_running, disk_full, log_unavailable, shard_unavailable; nothing has
   * changed then. `gone`: the requester has left.
   */
  async begin(gone?: AbortSignal): Promise<RunningBackup> {
    if (this.running !== null) throw new GatewayError('backup_running', 'A backup is made here already, and there is one at a time.');
    const shardBackups = this.dependencies.openShardBackups();
    this.running = shardBackups;
    let streams: Stream[] = [];
    const close = () => {
      for (const shardBackup of shardBackups) shardBackup.close();
      for (const { rest } of streams) rest.return?.().catch(() => {}); // its reader gets the error
      if (this.running === shardBackups) this.running = null;
      gone?.removeEventListener('abort', close);
    };
    gone?.addEventListener('abort', close);
    try {
      if (gone?.aborted) throw new Error('the requester has disconnected');
      const { clusterName, dealtShards } = inCommon(await Promise.all(shardBackups.map((shardBackup) => shardBackup.ready())));
      const at = await setCut(shardBackups);
      // All start now, even if the file is read later: a shard sends a snapshot of the moment at which it starts sending.
      streams = shardBackups.map(startStream);
      await Promise.all(streams.map(({ first }) => first));
      const begin = {
        format: FORMAT,
        cluster_name: clusterName,
        shards: shardBackups.length,
        dealt_shards: dealtShards,
        at: String(at),
        made_at_ms: this.dependencies.wallMs(),
      };
      return { clusterName, file: closeIfStalled(writeFile(begin, streams, close), close, shardEnvironment), close };
    } catch (error) {
      close();
      throw error instanceof GatewayError
        ? error
        : new GatewayError('shard_unavailable', `There is no backup: ${(error as Error).message}.`);
    }
  }

  /** Ends the running backup, if any. */
  close(): void {
    for (const shardBackup of this.running ?? []) shardBackup.close();
  }
}

interface Stream {
  first: Promise<IteratorResult<Buffer>>;
  rest: AsyncIterator<Buffer>;
}

function startStream(shardBackup: ShardBackup): Stream {
  const rest = shardBackup.send()[Symbol.asyncIterator]();
  return { first: rest.next(), rest };
}

/** Calls `close` if the reader takes no chunk for STALLED_MS_MAX. */
async function* closeIfStalled(
  file: AsyncGenerator<Buffer>,
  close: () => void,
  { setTimeout, clearTimeout }: Environment,
): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    const stalled = setTimeout(close, STALLED_MS_MAX);
    try {
      yield chunk;
    } finally {
      clearTimeout(stalled);
    }
  }
}

async function* writeFile(begin: BackupBegin, streams: Stream[], close: () => void): AsyncGenerator<Buffer> {
  let chunks = 0;
  try {
    yield Buffer.concat([MAGIC, encodeChunk(Kind.begin, NO_SHARD, 0, jsonPayload(begin))]);
    for (const [shard, { first, rest }] of streams.entries()) {
      let kind = 0;
      for (let next = await first; next.done !== true; next = await rest.next()) {
        ({ kind } = headerOf(next.value));
        chunks++;
        yield next.value;
      }
      if (kind !== Kind.shardEnd) throw new Error(`the backup of shard ${shard} has broken off`);
    }
    yield encodeChunk(Kind.trailer, NO_SHARD, 1, jsonPayload({ frames: chunks }));
  } finally {
    close();
  }
}

function headerOf(chunk: Buffer) {
  if (chunk.length < HEADER_BYTES) throw new Error('a chunk without its header');
  return decodeHeader(chunk);
}

/** Throws if the gateways do not form one cluster, as after a wrong address in a configuration. */
function inCommon(ready: ShardBackupReady[]): ShardBackupReady {
  const first = ready[0]!;
  const { clusterName, dealtShards } = first;
  const wrong = ready.findIndex(
    (found, shard) => found.shard !== shard || found.dealtShards !== dealtShards || found.clusterName !== clusterName,
  );
  if (wrong < 0) return first;
  throw new Error(`where shard ${wrong} of ${inWords(first)} should be is shard ${ready[wrong]!.shard} of ${inWords(ready[wrong]!)}`);
}

const inWords = ({ clusterName, dealtShards }: ShardBackupReady): string => `'${clusterName}', dealt among ${dealtShards},`;

const slotsOf = (prepared: readonly ShardBackupPrepared[]): number =>
  prepared.flatMap(({ slots }) => slots).reduce((sum, { first, last }) => sum + last - first + 1, 0);

/**
 * Returns the timestamp of the cut. All shards are prepared before any can pass it; otherwise they could settle a transaction that is
 * undecided inside the cut in different ways. Prepared shards give no slots away, so those that they have are in the backup.
 */
async function setCut(shardBackups: ShardBackup[]): Promise<bigint> {
  let slots = 0;
  for (const marginMs of MARGINS_MS) {
    const prepared = await Promise.all(shardBackups.map((shardBackup) => shardBackup.prepare()));
    slots = slotsOf(prepared);
    if (slots < SLOT_COUNT) continue; // a run was on its way when the first was prepared, or has gone to a shard that is not among these
    const at = timestampAfter(
      prepared.reduce((most, { reached }) => (reached > most ? reached : most), 0n),
      marginMs,
    );
    const isSet = await Promise.all(shardBackups.map((shardBackup) => shardBackup.setCut(at)));
    if (isSet.every(Boolean)) return at;
  }
  throw new Error(
    slots < SLOT_COUNT
      ? `the ${shardBackups.length} shards that this gateway knows own ${slots} of ${SLOT_COUNT} slots, so it has yet to hear of another one`
      : 'the shards did not come to one cut: at each try one of them learned of it too late',
  );
}

const timestampAfter = (timestamp: bigint, byMs: number): bigint =>
  (((timestamp >> SHARD_BITS) + BigInt(byMs) * TICKS_PER_MS) << SHARD_BITS) | 0xffn;
