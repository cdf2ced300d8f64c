// The open live streams of this app server: their limit, their start, and their end on shutdown.
import type { Claret, Clock } from '@claret/client';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from '../http.ts';
import { STREAMS } from '../overload/limits.ts';
import { Shares, type ShareLimits } from '../overload/shares.ts';
import { inFlightRequestOf } from '../overload/in-flight-request.ts';
import { RequestProblem } from '../problem.ts';
import { EventStream, type StreamEvents } from './stream.ts';

export class EventStreams<Events extends StreamEvents<Events>> {
  readonly #open = new Set<EventStream<Events>>();
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #shares: Shares;

  /** Tests alone set lower `limits`. */
  constructor(app: App, clock: Pick<Clock, 'nowMs'>, limits: ShareLimits = STREAMS) {
    this.#clock = clock;
    this.#shares = new Shares(limits);
    // Before the server waits for connections to end: streams never end by themselves.
    app.addHook('preClose', async () => {
      for (const stream of this.#open) stream.close();
    });
  }

  /** Called before a route begins its work. Throws while the cluster's time is not known, too: events have it. */
  refuseWhenFull(request: FastifyRequest): void {
    this.#clock.nowMs();
    if (!this.#shares.hasRoom(request.ip)) throw tooMany();
  }

  /** Answers the request with a stream. Null if the visitor has already disconnected. */
  open(request: FastifyRequest, reply: FastifyReply): EventStream<Events> | null {
    if (request.socket.destroyed) {
      reply.hijack();
      return null;
    }
    const giveBack = this.#shares.take(request.ip);
    if (giveBack === null) throw tooMany(); // taken by others in the meantime
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value);
    const stream = new EventStream<Events>(
      reply.raw,
      () => this.#clock.nowMs(),
      () => this.#open.size,
    );
    this.#open.add(stream);
    inFlightRequestOf(request.raw)?.release(); // the request is done; later events are pushed
    stream.onClose(() => {
      this.#open.delete(stream);
      giveBack();
    });
    return stream;
  }
}

const tooMany = () => new RequestProblem('too_many_streams', { retry_after_s: 30 });

/** The ids in a page's query, separated by commas. */
export function idList(field: string, text: string | undefined, limit: { pattern: RegExp; count_max: number }): string[] {
  const ids = [...new Set((text ?? '').split(',').filter((id) => id !== ''))];
  if (ids.length <= limit.count_max && ids.every((id) => limit.pattern.test(id))) return ids;
  throw new RequestProblem('invalid_input', { field });
}

/** The time up to which a reconnecting page has received everything; null on a first connection. */
export function lastEventTimeMs(request: FastifyRequest): number | null {
  const header = request.headers['last-event-id'];
  const time = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
  // A time in the future is made up.
  return time === null ? null : Math.min(time, request.claret.clock.nowMs());
}

type WithConnection = { connection: { server_time_ms: number; connected: boolean } };

/** Sends whether the store can be reached, now and after each change. Returns a function that unsubscribes. */
export function sendConnectionState(claret: Claret, stream: EventStream<WithConnection>): () => void {
  let connected: boolean | null = null;
  const send = (): void => {
    const now = claret.status.shards.every((shard) => shard.state === 'live');
    if (now === connected) return;
    connected = now;
    stream.state('connection', '', { server_time_ms: claret.clock.nowMs(), connected: now });
  };
  send();
  return claret.onStatus(send);
}
