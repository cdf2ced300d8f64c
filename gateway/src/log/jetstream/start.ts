// The begin of a start on a shard's two streams: this start's own message is appended to both, so that nothing of an earlier writer counts any
// more (fence.ts), and what they hold up to there is known: the log's identity, the starts that wrote it, and its newest sealed checkpoint.
import { randomUUID } from 'node:crypto';
import { withStart } from '../lineage.ts';
import { LogRefused } from '../log.ts';
import { decodeSegment } from '../segment.ts';
import { decodeSeal, decodeStart, encodeBody } from './bodies.ts';
import type { Lineage, Mark, SealBody } from './bodies.ts';
import { askAgain } from './asking.ts';
import { damagedAt } from './chain.ts';
import type { Nats } from './connection.ts';
import { fence } from './fence.ts';
import { NO_TAIL, tailOf } from './frames.ts';
import type { Tail, Writer } from './frames.ts';
import type { StreamNames } from './names.ts';
import { insisting } from './streams.ts';

export interface Begun {
  token: string;
  writer: Writer;
  lineage: Lineage;
  seal: SealBody | undefined;
  /** the ends behind the own first messages */
  log: Tail;
  parts: Tail;
}

export interface StartOptions {
  nats: Nats;
  names: StreamNames;
  writer: Writer;
  /** the id of the log that this shard is known to have; undefined: none is known */
  knownId: string | undefined;
}

/** Appends this start's first messages. Throws LogRefused, LogDamaged. */
export async function beginStart({ nats, names, writer, knownId }: StartOptions): Promise<Begun> {
  const token = randomUUID();
  const common = { nats, writer, token };
  let lineage: Lineage = { id: randomUUID(), starts: [] };
  const log = await fence({
    ...common,
    stream: names.log.stream,
    subject: names.log.start,
    fillerSubject: names.log.entries,
    bodyAfter: async ({ sequence, last }, incarnation) => {
      const known = sequence === 0 ? undefined : await lineageOf(nats, names);
      if (known !== undefined && known.starts.at(-1)?.[0] !== incarnation)
        throw new Error('a leader that was cut off tells of an earlier start'); // asked again
      if (knownId !== undefined && known?.id !== knownId)
        throw new LogRefused(
          `the stream ${names.log.stream} holds the log ${known?.id ?? '(none)'}, and this shard had the log ${knownId}: bring the servers' data back (docs/operations.md, "Failures of the replicated log")`,
        );
      lineage = { id: known?.id ?? lineage.id, starts: withStart(known?.starts ?? [], [writer.incarnation, last]) };
      return encodeBody(lineage);
    },
  });
  const seal = await insisting(nats, names.log.stream, () => newestSeal(nats, names));
  const parts = await fence({
    ...common,
    stream: names.checkpoint.stream,
    subject: names.checkpoint.start,
    fillerSubject: names.checkpoint.part,
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
  const message = await askAgain(nats.environment, () => nats.jsm.streams.getMessage(stream, { last_by_subj: subject }));
  if (message === null) return undefined;
  const frame = decodeSegment(message.data);
  if (typeof frame === 'string') throw damagedAt(stream, message.seq, frame);
  const body = decode(frame.entries);
  if (body === undefined) throw damagedAt(stream, message.seq, 'a message that cannot be read');
  return { body, sequence: message.seq };
}

/** Undefined if no checkpoint was ever sealed. */
export const newestSeal = async (nats: Nats, names: StreamNames): Promise<SealBody | undefined> =>
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

/** The place of a mark in a body. Throws LogDamaged. */
export function placeOf(stream: string, mark: Mark | undefined): Tail {
  if (mark === undefined) return NO_TAIL;
  return tailOf(mark) ?? failed(stream, mark.sequence);
}

const failed = (stream: string, sequence: number): never => {
  throw damagedAt(stream, sequence, 'a place with an invalid hash');
};
