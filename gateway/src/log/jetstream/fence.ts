// A start's first message in a stream. It is appended at the stream's end, wherever that is by then; from then on no message of an earlier
// writer is taken. So what a start reads up to this message is all that there will ever be of the writers before it.
import { LogRefused } from '../log.ts';
import { decodeSegment, segmentHash } from '../segment.ts';
import { damagedAt } from './chain.ts';
import { whyOf } from './connection.ts';
import type { Nats } from './connection.ts';
import { isRefusal } from './fenced-stream.ts';
import { NO_TAIL, encodeFrame } from './frames.ts';
import type { Tail, Writer } from './frames.ts';

const WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 200;
/** More than a few tries mean that another writer is at work, and not that a last message of a dead one arrived late. */
const REFUSALS_MAX = 5;

export interface FenceOptions {
  nats: Nats;
  stream: string;
  subject: string;
  writer: Writer;
  token: string;
  /** the body of the message, which follows `tail` */
  bodyAfter(tail: Tail): Promise<Uint8Array>;
}

/** Appends it. Returns the stream's end, which is this message. Throws LogRefused, LogDamaged. */
export async function fence(options: FenceOptions): Promise<Tail> {
  const { nats, stream, subject, writer, token } = options;
  const sent: Uint8Array[] = [];
  let refusals = 0;
  for (const giveUpMs = performance.now() + WITHIN_MS; ;) {
    try {
      const end = await endOf(options);
      const own = end.payload !== undefined && sent.find((payload) => Buffer.compare(payload, end.payload!) === 0);
      if (own) return end.tail; // its answer was lost
      if (end.incarnation >= writer.incarnation)
        throw new LogRefused(
          `the stream ${stream} was written by start ${end.incarnation} of shard ${writer.shard}, and this is start ${writer.incarnation}: set this machine's clock right, and start again`,
        );
      const body = await options.bodyAfter(end.tail);
      const payload = encodeFrame(writer, end.tail, { last: end.tail.last, body: [body] });
      sent.push(payload);
      const expect = { streamName: stream, lastSequence: end.tail.sequence };
      const { seq } = await nats.js.publish(subject, payload, { expect, msgID: `${token}.start.${end.tail.sequence}` });
      return { sequence: seq, last: end.tail.last, hash: segmentHash(payload) };
    } catch (error) {
      if (error instanceof Error && ['LogRefused', 'LogDamaged'].includes(error.name)) throw error;
      if (isRefusal(error) && ++refusals > REFUSALS_MAX)
        throw new LogRefused(`another gateway writes to the stream ${stream}: stop it, or start with another shard`);
      if (performance.now() > giveUpMs)
        throw new LogRefused(`the stream ${stream} takes nothing (${whyOf(error as Error)}): see whether most of its servers run`);
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

interface End {
  tail: Tail;
  incarnation: number;
  payload?: Uint8Array;
}

async function endOf({ nats, stream, writer }: FenceOptions): Promise<End> {
  const { state } = await nats.jsm.streams.info(stream);
  const sequence = state.last_seq;
  if (sequence === 0) return { tail: NO_TAIL, incarnation: 0 };
  if (state.messages === 0) throw damagedAt(stream, sequence, 'all messages have been removed');
  const message = await nats.jsm.streams.getMessage(stream, { seq: sequence });
  if (message === null) throw new Error(`message ${sequence} cannot be read`);
  const frame = decodeSegment(message.data);
  if (typeof frame === 'string') throw damagedAt(stream, sequence, frame);
  if (frame.shard !== writer.shard || frame.shards !== writer.shards)
    throw new LogRefused(
      `the stream ${stream} holds shard ${frame.shard} of ${frame.shards}, and this gateway is shard ${writer.shard} of ${writer.shards}: start it with the cluster that the stream is of`,
    );
  return { tail: { sequence, last: frame.last, hash: segmentHash(message.data) }, incarnation: frame.incarnation, payload: message.data };
}
