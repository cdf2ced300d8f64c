// A start's first message in a stream. It is appended at the stream's end, wherever that is by then; from then on no message of an earlier
// writer counts. So what a start reads up to this message is all that there will ever be of the writers before it.
//
// An earlier writer that is still at work may have several messages under way, and the servers compare nothing but numbers: one that is to
// follow the message in whose place this start's is now, and that arrives after it, would be stored. So the start fills the places that such
// messages could take (fenced-stream.ts, WINDOW), with frames of the incarnation 0. Whatever is stored there is of an earlier incarnation than
// the start, and no reader counts it (chain.ts). Its writer has told nobody that it is durable: it had no answer to the message before it.
import { pause } from '../../store/environment.ts';
import { LogRefused } from '../log.ts';
import { decodeSegment, segmentHash } from '../segment.ts';
import { askAgain } from './asking.ts';
import { damagedAt } from './chain.ts';
import { SOON_MS, whyOf } from './connection.ts';
import type { Nats } from './connection.ts';
import { WINDOW, isRefusal } from './fenced-stream.ts';
import { NO_TAIL, encodeFrame } from './frames.ts';
import type { Tail, Writer } from './frames.ts';

const WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 100;
/** An earlier writer at work may be faster: it learns soon that it is none any more. */
const REFUSED_AGAIN_MS = 5;

export interface FenceOptions {
  nats: Nats;
  stream: string;
  /** of the first messages of starts */
  subject: string;
  /** of a message that fills a place */
  fillerSubject: string;
  writer: Writer;
  token: string;
  /** The body of the message, which follows `tail`. The start with that incarnation wrote what is there; 0: nothing is. */
  bodyAfter(tail: Tail, incarnation: number): Promise<Uint8Array>;
}

/** Appends it, and fills the places behind it. Returns the stream's end. Throws LogRefused, LogDamaged. */
export async function fence(options: FenceOptions): Promise<Tail> {
  const start = await insisting(options, appendStart(options));
  await insisting(options, fill(options, start.sequence));
  return { ...start, sequence: start.sequence + WINDOW - 1 };
}

/** Tries again where there is no answer, or where another writer was faster. */
async function insisting<T>({ stream, nats: { environment } }: FenceOptions, step: () => Promise<T>): Promise<T> {
  for (const giveUpMs = environment.monotonicMs() + WITHIN_MS; ;) {
    try {
      return await step();
    } catch (error) {
      if (error instanceof Error && ['LogRefused', 'LogDamaged'].includes(error.name)) throw error;
      if (environment.monotonicMs() > giveUpMs && isRefusal(error))
        throw new LogRefused(`another gateway writes to the stream ${stream}: stop it, or start with another shard`);
      if (environment.monotonicMs() > giveUpMs)
        throw new LogRefused(`the stream ${stream} takes nothing (${whyOf(error as Error)}): see whether most of its servers run`);
      await pause(environment, isRefusal(error) ? REFUSED_AGAIN_MS : TRY_AGAIN_MS);
    }
  }
}

function appendStart(options: FenceOptions): () => Promise<Tail> {
  const { nats, stream, subject, writer, token } = options;
  const sent: Uint8Array[] = [];
  return async () => {
    const { sequence, last } = await endOf(options);
    if (last !== undefined && sent.some((start) => Buffer.compare(start, last.payload) === 0)) return last.tail; // its answer was lost
    if (last !== undefined && last.incarnation >= writer.incarnation) throw refusedBehind(last.incarnation, options);
    const tail = last?.tail ?? NO_TAIL;
    const start = encodeFrame(writer, tail, {
      last: tail.last,
      body: [await options.bodyAfter({ ...tail, sequence }, last?.incarnation ?? 0)],
    });
    sent.push(start);
    const expect = { streamName: stream, lastSequence: sequence };
    // Each try has an id of its own: what is stored for an earlier one may have another body.
    const { seq } = await nats.js.publish(subject, start, { expect, msgID: `${token}.start.${sent.length}`, timeout: SOON_MS });
    return { sequence: seq, last: tail.last, hash: segmentHash(start) };
  };
}

/** Fills the places behind `start`, where nothing else is. Throws LogRefused if that is of a later start. */
function fill(options: FenceOptions, start: number): () => Promise<void> {
  const { nats, stream, fillerSubject, writer, token } = options;
  const filler = encodeFrame({ ...writer, incarnation: 0 }, NO_TAIL, { last: 0, body: [] });
  const unknown = new Set(Array.from({ length: WINDOW - 1 }, (_, at) => start + 1 + at));
  const publish = async (sequence: number) => {
    const expect = { streamName: stream, lastSequence: sequence - 1 };
    const { seq } = await nats.js.publish(fillerSubject, filler, { expect, msgID: `${token}.filler.${sequence}`, timeout: SOON_MS });
    unknown.delete(seq);
  };
  return async () => {
    // All at once: where something else is faster, those behind it take their places nevertheless.
    await Promise.allSettled([...unknown].map(publish));
    for (const sequence of unknown) {
      const { incarnation } = await messageAt(options, sequence);
      if (incarnation > writer.incarnation) throw refusedBehind(incarnation, options);
      unknown.delete(sequence);
    }
  };
}

const refusedBehind = (incarnation: number, { stream, writer }: FenceOptions): LogRefused =>
  new LogRefused(
    `the stream ${stream} was written by start ${incarnation} of shard ${writer.shard}, and this is start ${writer.incarnation}: set this machine's clock right, and start again`,
  );

interface Found {
  subject: string;
  incarnation: number;
  payload: Uint8Array;
  tail: Tail;
}

/** The end of the stream, and the last message there that counts; undefined: there is none yet. */
async function endOf(options: FenceOptions): Promise<{ sequence: number; last: Found | undefined }> {
  const { nats, stream, subject } = options;
  const { state } = await askAgain(nats.environment, () => nats.jsm.streams.info(stream));
  const sequence = state.last_seq;
  if (sequence === 0) return { sequence, last: undefined };
  if (state.messages === 0) throw damagedAt(stream, sequence, 'all messages have been removed');
  // By their numbers: a leader that was cut off may take an earlier start for the last one.
  const first = Math.max(state.first_seq, sequence - WINDOW + 1);
  const messages = await Promise.all(Array.from({ length: sequence - first + 1 }, (_, at) => messageAt(options, first + at)));
  const last = messages.at(-1)!;
  // Behind a start that has appended nothing else, there is only what does not count.
  const start = messages.findLast((message) => message.subject === subject && message.incarnation > last.incarnation);
  return { sequence, last: start ?? last };
}

/** A leader that was cut off does not have it yet; or it has been removed, which is no matter of time. */
async function unreadable({ jsm }: Nats, stream: string, sequence: number): Promise<never> {
  const { deleted = [] } = (await jsm.streams.info(stream, { deleted_details: true })).state;
  if (!deleted.includes(sequence)) throw new Error(`message ${sequence} of the stream ${stream} cannot be read`);
  let [first, last] = [sequence, sequence];
  while (deleted.includes(first - 1)) first--;
  while (deleted.includes(last + 1)) last++;
  throw damagedAt(stream, first, `messages ${first} to ${last} are missing`);
}

/** Throws LogRefused, LogDamaged, and an Error if it cannot be read at present. */
async function messageAt({ nats, stream, writer }: FenceOptions, sequence: number): Promise<Found> {
  const message = await askAgain(nats.environment, () => nats.jsm.streams.getMessage(stream, { seq: sequence }));
  if (message === null) return unreadable(nats, stream, sequence);
  const { subject, data: payload } = message;
  const frame = decodeSegment(payload);
  if (typeof frame === 'string') throw damagedAt(stream, sequence, frame);
  if (frame.shard !== writer.shard || frame.shards !== writer.shards)
    throw new LogRefused(
      `the stream ${stream} holds shard ${frame.shard} of ${frame.shards}, and this gateway is shard ${writer.shard} of ${writer.shards}: start it with the cluster that the stream is of`,
    );
  return { subject, incarnation: frame.incarnation, payload, tail: { sequence, last: frame.last, hash: segmentHash(payload) } };
}
