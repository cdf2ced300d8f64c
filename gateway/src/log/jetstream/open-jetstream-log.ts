// openJetStreamLog: opens the log of a shard on NATS JetStream at a start. First it appends this start's own message to both streams, so
// that no earlier writer can append any more (start.ts). Then it reads the newest sealed checkpoint and the entries after it, up to that
// message, and verifies every message (reading.ts).
import { hasBeenAt } from '../lineage.ts';
import { LogRefused } from '../log.ts';
import type { CommonLogOptions, KeptPiece, OpenedLog } from '../log.ts';
import { connectNats } from './connection.ts';
import type { Nats, NatsAccess } from './connection.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { StoredMirror } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import { namesOf } from './names.ts';
import type { StreamNames } from './names.ts';
import { Reading } from './reading.ts';
import { beginStart, placeOf } from './start.ts';
import type { Begun } from './start.ts';
import { findStreams } from './streams.ts';
import type { FoundStreams } from './streams.ts';

export interface JetStreamLogOptions extends Omit<LogOnNatsOptions, 'nats' | 'createMirror'> {
  access: NatsAccess;
  /** folder for a copy of the checkpoint, made anew at each start */
  mirrorDir: string;
}

export interface LogOnNatsOptions extends CommonLogOptions {
  /** closed with the log, or if the start fails */
  nats: Nats;
  /** replicas of each stream: 3, or 1 on a single server, which protects from no loss of it */
  replicas: number;
  /** an empty copy of the checkpoint */
  createMirror(): Promise<Mirror>;
  /** the id of the log that this shard is known to have; undefined: none is known, and a missing one is created */
  knownId?: string | undefined;
  /** for tests: see CheckpointLaneOptions */
  rebaseBytesLeast?: number;
}

/** Throws LogRefused if a start on these streams is not possible, LogDamaged if their contents are damaged. */
export async function openJetStreamLog({ access, mirrorDir, ...options }: JetStreamLogOptions): Promise<OpenedLog> {
  const nats = await connectNats(access, `claret ${options.clusterName} ${options.shard}`);
  return openLogOnNats({ ...options, nats, createMirror: () => StoredMirror.create(mirrorDir, options) });
}

/** As `openJetStreamLog`, on a connection that is there. */
export async function openLogOnNats(options: LogOnNatsOptions): Promise<OpenedLog> {
  const { nats, clusterName, shard, shards, incarnation, knownId, replicas, createMirror } = options;
  try {
    const names = namesOf(clusterName, shard);
    const streams = await findStreams(nats, names, replicas, knownId === undefined);
    const begun = await beginStart({ nats, names, writer: { shard, shards, incarnation }, knownId });
    const opening = openingOf(options, { nats, names, streams, begun });
    const read = async function* (): AsyncGenerator<KeptPiece> {
      const reading = await Reading.begin({ nats, names, own: options, createMirror, seal: begun.seal });
      yield* readUpTo(reading, opening);
    };
    return { ...opening.opened, kept: read() };
  } catch (error) {
    await nats.connection.close();
    throw error;
  }
}

/** A log whose start has begun, and whose contents have yet to be read. */
export interface Opening {
  begun: Begun;
  opened: Omit<OpenedLog, 'kept'>;
  /** Called once the contents have been read. */
  complete(reading: Reading): void;
}

export interface OpeningParts {
  nats: Nats;
  names: StreamNames;
  streams: FoundStreams;
  begun: Begun;
}

export function openingOf(
  options: Omit<CommonLogOptions, 'clusterName'> & Pick<LogOnNatsOptions, 'rebaseBytesLeast'>,
  { nats, names, streams, begun }: OpeningParts,
): Opening {
  const { lineage, seal, writer, token } = begun;
  const log = new JetStreamLog(options, {
    nats,
    names,
    writer,
    token,
    checkpoint: seal?.checkpoint ?? 0,
    position: seal?.position ?? 0,
    from: placeOf(names.log.stream, seal?.from),
  });
  const baseBytes = seal?.baseBytes ?? 0;
  return {
    begun,
    opened: {
      log,
      id: lineage.id,
      cut: null,
      sizes: { checkpointBytes: streams.checkpoint.state.bytes, entriesBytes: streams.log.state.bytes },
      point: () => ({ log: lineage.id, incarnation: writer.incarnation, position: log.safePosition }),
      hasBeenAt: (point) => point.log === lineage.id && hasBeenAt(lineage.starts, log.safePosition, point),
    },
    complete(reading) {
      reading.checkEnds(begun);
      if ((reading.seal?.checkpoint ?? 0) > (seal?.checkpoint ?? 0))
        throw new LogRefused(`a newer checkpoint was sealed in the stream ${names.log.stream} than its leader told of: start again`);
      for (const { position, bytes, place } of reading.counted) log.count(position, bytes, place);
      log.begin({
        ...begun,
        mirror: reading.mirror,
        base: placeOf(names.checkpoint.stream, seal?.base),
        baseBytes,
        laterBytes: Math.max(0, streams.checkpoint.state.bytes - baseBytes),
        rebaseBytesLeast: options.rebaseBytesLeast,
      });
    },
  };
}

async function* readUpTo(reading: Reading, { begun, complete }: Opening): AsyncGenerator<KeptPiece> {
  let isBegun = false;
  try {
    await reading.readParts(begun.parts.sequence);
    yield* reading.checkpoint();
    yield* reading.readEntries(begun.log.sequence);
    complete(reading);
    isBegun = true;
  } finally {
    if (!isBegun) await reading.mirror.close();
  }
}
