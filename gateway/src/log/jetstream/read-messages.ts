// Reads the messages of a stream in order, and waits for those that are yet to come: a start reads up to its own first message, and a
// reader without an end follows the stream as it grows.
import type { StoredMessage } from './chain.ts';
import type { Nats } from './connection.ts';
import { insisting } from './streams.ts';

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
  const { js, environment } = nats;
  const create = () => js.consumers.get(stream, { opt_start_seq: after + 1 });
  const consumer = await (stopped === undefined ? insisting(nats, stream, create) : create()); // what can be stopped is begun again by its caller
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
