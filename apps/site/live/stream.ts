// One viewer's event stream (text/event-stream), with bounded memory for unsent events.
//
// States replace each other: only the newest of each name is kept, so that a slow viewer skips states and never builds up a queue. Notices
// are kept in order, the newest NOTICES_WAITING_MAX. Unsent events are flushed together, at most every FLUSH_EVERY_MS. The last event of a
// flush carries the id: the time up to which the page has received everything, which it sends back when it reconnects.
import type { ServerResponse } from 'node:http';

/** A site's events: name -> data */
export type StreamEvents<Events> = { [Name in keyof Events]: { server_time_ms: number } };

export const FLUSH_EVERY_MS = 100;
export const HEARTBEAT_EVERY_MS = 15_000;
const NOTICES_WAITING_MAX = 50;
// A viewer who has not read for this time is disconnected.
const STALLED_MS_MAX = 60_000;
// The longest time that a page waits before its first reconnect. It grows with the number of streams: when a server stops, all of its pages
// reconnect, and each costs about a millisecond.
const RECONNECT_MS = 1_000;
const RECONNECT_MS_PER_STREAM = 2;

export const reconnectMs = (streams: number): number => Math.max(RECONNECT_MS, streams * RECONNECT_MS_PER_STREAM);

/** A state that many viewers may share: live/topic.ts */
export type Shown = {
  /** unique among the states of a stream */
  readonly name: string;
  /** the newest event, as `eventText` makes it; null: none yet */
  readonly text: string | null;
  /** returns a function that unsubscribes */
  follow: (listener: () => void) => () => void;
};

export class EventStream<Events extends StreamEvents<Events>> {
  readonly #response: ServerResponse;
  readonly #streamCount: () => number;
  readonly #states = new Map<string, string>();
  readonly #notices: string[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  #flushTimer: NodeJS.Timeout | null = null;
  #toldUntilMs: () => number;
  #flushedAt = 0;
  // when the viewer stopped reading; null: the viewer reads
  #blockedSince: number | null = null;
  #closed = false;

  // `nowMs`: the cluster's time; `streamCount`: the number of streams that the server has open
  constructor(response: ServerResponse, nowMs: () => number, streamCount: () => number = () => 1) {
    this.#response = response;
    this.#toldUntilMs = nowMs;
    this.#streamCount = streamCount;
    // No chunked encoding, which would cost more bytes than the events: the answer ends with the connection.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    this.#write(this.#heartbeatText());
    response.on('drain', () => {
      this.#blockedSince = null;
      this.#schedule();
    });
    response.on('error', () => this.close());
    response.on('close', () => this.close());
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_EVERY_MS);
  }

  // Sends the newest state under this name; unsent older ones are dropped. `key` tells several states of one event apart.
  state<Name extends keyof Events & string>(event: Name, key: string, data: Events[Name]): void {
    this.#put(`${event} ${key}`, eventText(event, JSON.stringify(data)));
  }

  // Sends the present state, and the new state after each change. Returns a function that unsubscribes.
  show(shown: Shown): () => void {
    const { name } = shown;
    const send = (): void => {
      if (shown.text !== null) this.#put(name, shown.text);
    };
    const end = shown.follow(send);
    send();
    return end;
  }

  // Sends a notice in addition to the ones before it, in order.
  notice<Name extends keyof Events & string>(event: Name, data: Events[Name]): void {
    this.#notices.push(eventText(event, JSON.stringify(data)));
    if (this.#notices.length > NOTICES_WAITING_MAX) this.#notices.shift();
    this.#schedule();
  }

  // Sets the clock of event ids: the server time up to which the page has received everything once all unsent events are out. The default
  // is the present time.
  setToldUntil(toldUntilMs: () => number): void {
    this.#toldUntilMs = toldUntilMs;
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#heartbeat);
    if (this.#flushTimer !== null) clearTimeout(this.#flushTimer);
    // The unsent bytes of a viewer who does not read would never leave, and the stream would never end.
    if (this.#blockedSince === null) this.#response.end();
    else this.#response.destroy();
  }

  #put(name: string, state: string): void {
    // deleted first, so that states are sent in the order of their last changes
    this.#states.delete(name);
    this.#states.set(name, state);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed || this.#blockedSince !== null || this.#flushTimer !== null) return;
    const wait = Math.max(0, this.#flushedAt + FLUSH_EVERY_MS - performance.now());
    this.#flushTimer = setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    this.#flushTimer = null;
    if (this.#closed || this.#blockedSince !== null || this.#states.size + this.#notices.length === 0) return;
    this.#flushedAt = performance.now();
    const events = [...this.#states.values(), ...this.#notices];
    this.#states.clear();
    this.#notices.length = 0;
    // Only the last event has an id: a viewer whose connection broke halfway has not received the rest.
    const last = events.pop() ?? '';
    this.#write(`${events.join('')}id: ${this.#toldUntilMs()}\n${last}`);
  }

  #beat(): void {
    if (this.#blockedSince === null) this.#write(this.#heartbeatText());
    else if (performance.now() - this.#blockedSince > STALLED_MS_MAX) this.#response.destroy();
  }

  #heartbeatText(): string {
    return `retry: ${reconnectMs(this.#streamCount())}\n\n`;
  }

  #write(text: string): void {
    if (!this.#closed && !this.#response.write(text)) this.#blockedSince = performance.now();
  }
}

/** An event in the format of a stream, without its id. */
export function eventText(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}
