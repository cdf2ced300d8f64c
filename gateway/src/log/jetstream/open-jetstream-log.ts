// openJetStreamLog: opens the log of a shard on NATS JetStream at a start. First it appends this start's own message to both streams, so
// that no earlier writer can append any more (fence.ts). Then it reads the newest sealed checkpoint and the entries after it, up to that
// message, and verifies every message.
import { randomUUID } from 'node:crypto';
import { hasBeenAt, withStart } from '../lineage.ts';
import { LogRefused } from '../log.ts';
import type { CommonLogOptions, KeptPiece, OpenedLog } from '../log.ts';
import { decodeSegment } from '../segment.ts';
import { decodeSeal, decodeStart, encodeBody } from './bodies.ts';
import type { Lineage, Mark, SealBody } from './bodies.ts';
import { damagedAt } from './chain.ts';
import { connectNats } from './connection.ts';
import type { Nats, NatsAccess } from './connection.ts';
import { EntriesReader } from './entries-reader.ts';
import { fence } from './fence.ts';
import { NO_TAIL, tailOf } from './frames.ts';
import type { Tail, Writer } from './frames.ts';
import { JetStreamLog } from './jetstream-log.ts';
import { Mirror } from './mirror.ts';
import { namesOf } from './names.ts';
import type { StreamNames } from './names.ts';
import { PartsReader } from './parts-reader.ts';
import { readMessages } from './read-messages.ts';
import { findStreams } from './streams.ts';
import type { FoundStreams } from './streams.ts';

export interface JetStreamLogOptions extends CommonLogOptions {
  access: NatsAccess;
  /** replicas of each stream: 3, or 1 on a single server, which protects from no loss of it */
  replicas: number;
  /** folder for a copy of the checkpoint, made anew at each start */
  mirrorDir: string;
  /** the id of the log that this shard is known to have; undefined: none is known, and a missing one is created */
  knownId?: string | undefined;
  /** for tests: see CheckpointLaneOptions */
  rebaseBytesLeast?: number;
}

/** Throws LogRefused if a start on these streams is not possible, LogDamaged if their contents are damaged. */
export async function openJetStreamLog(options: JetStreamLogOptions): Promise<OpenedLog> {
  const { clusterName, shard } = options;
  const nats = await connectNats(options.access, `claret ${clusterName} ${shard}`);
  try {
    const names = namesOf(clusterName, shard);
    const streams = await findStreams(nats, names, options.replicas, options.knownId === undefined);
    return await assemble(options, nats, names, streams);
  } catch (error) {
    await nats.connection.close();
    throw error;
  }
}

interface Begun {
  token: string;
  writer: Writer;
  lineage: Lineage;
  seal: SealBody | undefined;
  /** the own first messages */
  log: Tail;
  parts: Tail;
}

async function assemble(options: JetStreamLogOptions, nats: Nats, names: StreamNames, streams: FoundStreams): Promise<OpenedLog> {
  const begun = await begin(options, nats, names);
  const { lineage, seal, writer, token } = begun;
  const from = placeOf(names.log.stream, seal?.from);
  const log = new JetStreamLog(options, {
    nats,
    names,
    writer,
    token,
    checkpoint: seal?.checkpoint ?? 0,
    position: seal?.position ?? 0,
    from,
  });
  return {
    log,
    id: lineage.id,
    cut: null,
    sizes: { checkpointBytes: streams.checkpoint.state.bytes, entriesBytes: streams.log.state.bytes },
    kept: readAndBegin({ options, nats, names, begun, log, from }),
    point: () => ({ log: lineage.id, incarnation: writer.incarnation, position: log.safePosition }),
    hasBeenAt: (point) => point.log === lineage.id && hasBeenAt(lineage.starts, log.safePosition, point),
  };
}

/** Appends this start's first messages. */
async function begin(options: JetStreamLogOptions, nats: Nats, names: StreamNames): Promise<Begun> {
  const { shard, shards, incarnation, knownId } = options;
  const writer = { shard, shards, incarnation };
  const token = randomUUID();
  const common = { nats, writer, token };
  let lineage: Lineage = { id: randomUUID(), starts: [] };
  const log = await fence({
    ...common,
    stream: names.log.stream,
    subject: names.log.start,
    bodyAfter: async ({ sequence, last }) => {
      const known = sequence === 0 ? undefined : await lineageOf(nats, names);
      if (knownId !== undefined && known?.id !== knownId)
        throw new LogRefused(
          `the stream ${names.log.stream} holds the log ${known?.id ?? '(none)'}, and this shard had the log ${knownId}: bring the servers' data back (docs/operations.md, "Failures of the replicated log")`,
        );
      lineage = { id: known?.id ?? lineage.id, starts: withStart(known?.starts ?? [], [incarnation, last]) };
      return encodeBody(lineage);
    },
  });
  const seal = await newestSeal(nats, names);
  const parts = await fence({
    ...common,
    stream: names.checkpoint.stream,
    subject: names.checkpoint.start,
    bodyAfter: () => Promise.resolve(encodeBody({ sealed: seal?.part ?? 0 })),
  });
  return { token, writer, lineage, seal, log, parts };
}

/** The body of the newest message of a subject, and its place in the log stream. */
async function newest<T>(
  nats: Nats,
  { log: { stream } }: StreamNames,
  subject: string,
  decode: (body: Uint8Array) => T | undefined,
): Promise<{ body: T; sequence: number } | undefined> {
  const message = await nats.jsm.streams.getMessage(stream, { last_by_subj: subject });
  if (message === null) return undefined;
  const frame = decodeSegment(message.data);
  if (typeof frame === 'string') throw damagedAt(stream, message.seq, frame);
  const body = decode(frame.entries);
  if (body === undefined) throw damagedAt(stream, message.seq, 'a message that cannot be read');
  return { body, sequence: message.seq };
}

const newestSeal = async (nats: Nats, names: StreamNames): Promise<SealBody | undefined> =>
  (await newest(nats, names, names.log.seal, decodeSeal))?.body;

/** Both starts and seals hold it, since a checkpoint removes the starts before it. */
async function lineageOf(nats: Nats, names: StreamNames): Promise<Lineage> {
  const [start, seal] = await Promise.all([
    newest(nats, names, names.log.start, decodeStart),
    newest(nats, names, names.log.seal, decodeSeal),
  ]);
  const later = (seal?.sequence ?? 0) > (start?.sequence ?? 0) ? seal : start;
  if (later === undefined) throw damagedAt(names.log.stream, 1, 'neither a start nor a seal is there');
  return later.body;
}

function placeOf(stream: string, mark: Mark | undefined): Tail {
  if (mark === undefined) return NO_TAIL;
  return tailOf(mark) ?? failed(stream, mark.sequence);
}

const failed = (stream: string, sequence: number): never => {
  throw damagedAt(stream, sequence, 'a place with an invalid hash');
};

interface Reading {
  options: JetStreamLogOptions;
  nats: Nats;
  names: StreamNames;
  begun: Begun;
  log: JetStreamLog;
  from: Tail;
}

async function* readAndBegin(reading: Reading): AsyncGenerator<KeptPiece> {
  const { options, begun, log } = reading;
  const mirror = await Mirror.create(options.mirrorDir, options);
  let isBegun = false;
  try {
    const sizes = await fillMirror(reading, mirror);
    yield* mirror.read(mirror.snapshot());
    yield* readEntries(reading);
    log.begin({ ...begun, ...sizes, mirror, rebaseBytesLeast: options.rebaseBytesLeast });
    isBegun = true;
  } finally {
    if (!isBegun) await mirror.close();
  }
}

/** Applies the pairs of the checkpoint stream, and returns the size of the base and of what is behind it. */
async function fillMirror({ options, nats, names, begun }: Reading, mirror: Mirror) {
  const { seal, parts } = begun;
  const base = placeOf(names.checkpoint.stream, seal?.base);
  const reader = new PartsReader(names.checkpoint, options, base);
  let bytes = 0;
  for await (const message of readMessages(nats.js, names.checkpoint.stream, base.sequence, parts.sequence)) {
    for (const pairs of reader.take(message)) await mirror.apply(pairs);
    if (message.sequence === seal?.part && Buffer.from(reader.tail.hash).toString('hex') !== seal.hash)
      throw damagedAt(names.checkpoint.stream, message.sequence, 'it is another message than the one that was sealed');
    bytes += message.payload.length;
  }
  if (reader.tail.sequence !== parts.sequence || Buffer.compare(reader.tail.hash, parts.hash) !== 0)
    throw damagedAt(names.checkpoint.stream, parts.sequence, "it is not this start's own message");
  const baseBytes = seal?.baseBytes ?? 0;
  return { base, baseBytes, laterBytes: Math.max(0, bytes - baseBytes) };
}

async function* readEntries({ options, nats, names, begun, log, from }: Reading): AsyncGenerator<KeptPiece> {
  const { log: own, seal } = begun;
  const reader = new EntriesReader({ names: names.log, own: options, from, position: seal?.position ?? 0, upTo: Infinity });
  let position = seal?.position ?? 0;
  for await (const message of readMessages(nats.js, names.log.stream, from.sequence, own.sequence)) {
    const piece = reader.take(message);
    if (piece === undefined) continue;
    position += piece.count;
    log.count(position, piece.entries.length, reader.isBetweenEntries ? reader.tail : undefined);
    yield piece;
  }
  if (reader.seal !== undefined && reader.seal.checkpoint > (seal?.checkpoint ?? 0))
    throw new LogRefused(`a newer checkpoint was sealed in the stream ${names.log.stream} than its leader told of: start again`);
  if (reader.tail.sequence !== own.sequence || Buffer.compare(reader.tail.hash, own.hash) !== 0)
    throw damagedAt(names.log.stream, own.sequence, "it is not this start's own message");
}
