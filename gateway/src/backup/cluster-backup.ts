// A backup of the whole cluster, made by whichever gateway is asked: all shards are brought to one cut, then their parts are
// written one after the other. Why the cut is one state of the cluster: docs/decisions/0018-backup.md.
//
// Bounded: of each part no more is under way than its stream takes, and the next piece is asked for when the last has left.
import type { Environment } from '@claret/client';
import { GatewayError } from '../errors.ts';
import { shardEnvironment } from '../store/environment.ts';
import { FORMAT, HEAD_BYTES, Kind, MAGIC, WHOLE, decodeHead, encodeFrame, jsonPayload } from './format.ts';
import type { BackupBegin } from './format.ts';
import type { Part, PartReady } from './shard-part.ts';

/** The cut lies so far ahead of all clocks that none has passed it when it hears of it; further with each try. */
const MARGINS_MS = [25, 100, 400, 1_600];
const TICKS_PER_MS = 4_000n;
const SHARD_BITS = 8n;

/** A reader who takes nothing for so long has gone, or holds up the next backup, and what the disk would give back. */
export const STALLED_MS_MAX = 5 * 60_000;

/** The own shard's part, and through their gateways the other shards'. */
export interface ClusterBackupParts {
  /** one for each shard, in order; throws no_log, shard_unavailable, backup_running */
  openParts(): Part[];
  wallMs(): number;
}

export interface BackupUnderWay {
  clusterName: string;
  /** The file, from its first byte to its last. */
  file: AsyncGenerator<Buffer>;
  /** Ends it, wherever it is. */
  close(): void;
}

export class ClusterBackup {
  private readonly parts: ClusterBackupParts;
  private running: Part[] | null = null;

  constructor(parts: ClusterBackupParts) {
    this.parts = parts;
  }

  /**
   * Resolves when all shards have passed the cut. Throws no_log, backup_running, disk_full, shard_unavailable: then nothing has been
   * changed. `gone`: when nobody wants it any more, at any time.
   */
  async begin(gone?: AbortSignal): Promise<BackupUnderWay> {
    if (this.running !== null) throw new GatewayError('backup_running', 'A backup is made here already, and there is one at a time.');
    const parts = this.parts.openParts();
    this.running = parts;
    let streams: Stream[] = [];
    const close = () => {
      for (const part of parts) part.close();
      for (const { rest } of streams) rest.return?.().catch(() => {}); // whoever reads it is told
      if (this.running === parts) this.running = null;
      gone?.removeEventListener('abort', close);
    };
    gone?.addEventListener('abort', close);
    try {
      if (gone?.aborted) throw new Error('nobody wants it any more');
      const clusterName = agreed(await Promise.all(parts.map((part) => part.ready())));
      const at = await setCut(parts);
      // At once, however late the file is read: what a part sends is of the moment when it began to.
      streams = parts.map(startStream);
      await Promise.all(streams.map(({ first }) => first));
      const begin = { format: FORMAT, cluster_name: clusterName, shards: parts.length, at: String(at), made_at_ms: this.parts.wallMs() };
      return { clusterName, file: takenInTime(writeFile(begin, streams, close), close, shardEnvironment), close };
    } catch (error) {
      close();
      throw error instanceof GatewayError
        ? error
        : new GatewayError('shard_unavailable', `There is no backup: ${(error as Error).message}.`);
    }
  }

  /** Ends what is under way. */
  close(): void {
    for (const part of this.running ?? []) part.close();
  }
}

interface Stream {
  first: Promise<IteratorResult<Buffer>>;
  rest: AsyncIterator<Buffer>;
}

function startStream(part: Part): Stream {
  const rest = part.send()[Symbol.asyncIterator]();
  return { first: rest.next(), rest };
}

/** What is behind it ends when a piece of it is not taken for too long. */
async function* takenInTime(
  file: AsyncGenerator<Buffer>,
  close: () => void,
  { setTimeout, clearTimeout }: Environment,
): AsyncGenerator<Buffer> {
  for await (const piece of file) {
    const late = setTimeout(close, STALLED_MS_MAX);
    try {
      yield piece;
    } finally {
      clearTimeout(late);
    }
  }
}

async function* writeFile(begin: BackupBegin, streams: Stream[], close: () => void): AsyncGenerator<Buffer> {
  let frames = 0;
  try {
    yield Buffer.concat([MAGIC, encodeFrame(Kind.begin, WHOLE, 0, jsonPayload(begin))]);
    for (const [shard, { first, rest }] of streams.entries()) {
      let kind = 0;
      for (let next = await first; next.done !== true; next = await rest.next()) {
        ({ kind } = head(next.value));
        frames++;
        yield next.value;
      }
      if (kind !== Kind.partEnd) throw new Error(`the part of shard ${shard} has broken off`);
    }
    yield encodeFrame(Kind.trailer, WHOLE, 1, jsonPayload({ frames }));
  } finally {
    close();
  }
}

function head(frame: Buffer) {
  if (frame.length < HEAD_BYTES) throw new Error('a frame without its head');
  return decodeHead(frame);
}

/** Gateways that were put together by mistake are no cluster. */
function agreed(ready: PartReady[]): string {
  const { clusterName } = ready[0]!;
  const stranger = ready.findIndex(
    (part, shard) => part.shard !== shard || part.shards !== ready.length || part.clusterName !== clusterName,
  );
  if (stranger < 0) return clusterName;
  const { shard, shards, clusterName: other } = ready[stranger]!;
  throw new Error(`where shard ${stranger} of ${ready.length} of '${clusterName}' should be is shard ${shard} of ${shards} of '${other}'`);
}

/** Answers the timestamp of the cut. All shards are prepared before any can pass it: only then is what is undecided inside decided alike. */
async function setCut(parts: Part[]): Promise<bigint> {
  for (const marginMs of MARGINS_MS) {
    const reached = await Promise.all(parts.map((part) => part.prepare()));
    const at = later(
      reached.reduce((most, one) => (one > most ? one : most)),
      marginMs,
    );
    const isSet = await Promise.all(parts.map((part) => part.setCut(at)));
    if (isSet.every(Boolean)) return at;
  }
  throw new Error('the shards did not come to one cut: they hear of it too late, each time');
}

const later = (than: bigint, byMs: number): bigint => (((than >> SHARD_BITS) + BigInt(byMs) * TICKS_PER_MS) << SHARD_BITS) | 0xffn;
