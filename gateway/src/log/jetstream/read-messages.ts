// Reads the messages of a stream in order, and waits for those that are yet to come: a start reads up to its own first message, and a
// reader without an end follows the stream as it grows.
import { askAgain, unlessStopped } from './asking.ts';
import type { StoredMessage } from './chain.ts';
import type { Nats } from './connection.ts';
import { insisting } from './streams.ts';

/** So few are asked for by their numbers: the servers make no consumer before they have a leader of all streams. */
const FEW = 32;
const AHEAD_BYTES = 8 << 20;
/** The shortest that the client takes. A request that gets lost, as the first one after the consumer was made may, is sent again after it. */
const REQUEST_MS = 1_000;
/** A replica that lags behind, or another one in its place, delivers within this time, or the read fails. */
const SILENT_MS = 30_000;

/** Messages after `after` up to `upTo`; Infinity: until `stopped`. Throws if none comes for some time although there are more. */
export async function* readMessages(
  nats: Nats,
  stream: string,
  after: number,
  upTo: number,
  stopped?: AbortSignal,
): AsyncGenerator<StoredMessage> {
  if (after >= upTo || stopped?.aborted) return;
  if (upTo - after <= FEW) {
    const few = await byNumber(nats, stream, after, upTo);
    yield* few ?? [];
    if (few !== undefined) return;
  }
  const { js, environment } = nats;
  const create = () => js.consumers.get(stream, { opt_start_seq: after + 1 });
  // What can be stopped is begun again by its caller. A consumer that comes too late ends by itself.
  const consumer = await (stopped === undefined ? insisting(nats, stream, create) : unlessStopped(create(), stopped));
  const messages = await consumer.consume({ max_bytes: AHEAD_BYTES, expires: REQUEST_MS });
  const iterator = messages[Symbol.asyncIterator]();
  const stop = () => messages.stop();
  stopped?.addEventListener('abort', stop);
  try {
    for (let sequence = after; sequence < upTo && !stopped?.aborted;) {
      // Only the servers' time counts, not that of the caller.
      const watch = upTo === Infinity ? undefined : environment.setTimeout(stop, SILENT_MS);
      const { value, done } = await iterator.next();
      environment.clearTimeout(watch);
      if (done === true && stopped?.aborted) return;
      if (done === true) throw new Error(`the stream ${stream} delivers nothing after message ${sequence}: see whether its servers run`);
      sequence = value.seq;
      yield { sequence, subject: value.subject, payload: value.data };
    }
  } finally {
    stopped?.removeEventListener('abort', stop);
    messages.stop();
    void consumer.delete().catch(() => {}); // it ends by itself after a while
  }
}

/** Undefined: one of them has been removed, or cannot be had at present. */
async function byNumber({ jsm, environment }: Nats, stream: string, after: number, upTo: number): Promise<StoredMessage[] | undefined> {
  const numbers = Array.from({ length: upTo - after }, (_, at) => after + 1 + at);
  const read = (seq: number) => askAgain(environment, () => jsm.streams.getMessage(stream, { seq }));
  const found = await Promise.all(numbers.map(read)).catch(() => []);
  const messages = found.flatMap((message) =>
    message === null ? [] : [{ sequence: message.seq, subject: message.subject, payload: message.data }],
  );
  return messages.length === numbers.length ? messages : undefined;
}
