// One viewer's event stream (text/event-stream), with a bounded memory of what is yet to be sent.
//
// States replace each other: what waits is the newest of each name, so that a slow viewer skips states and never grows a
// queue. Notices are kept in order, the newest NOTICES_WAITING_MAX. What waits leaves together, at most every
// FLUSH_EVERY_MS, and the last event of it carries the id: until when the page has been told everything, which it sends back
// when it reconnects.
import type { ServerResponse } from 'node:http';

/** A site's events: name -> data. */
export type StreamEvents<Events> = { [Name in keyof Events]: { server_time_ms: number } };

export const FLUSH_EVERY_MS = 100;
export const HEARTBEAT_EVERY_MS = 15_000;
const NOTICES_WAITING_MAX = 50;
// A viewer who has not read for so long is gone.
const STALLED_MS_MAX = 60_000;
// What a page waits at most before it reconnects for the first time. The more streams a server has, the longer: when it
// goes, all of its pages come back, and each costs about a millisecond.
const RECONNECT_MS = 1_000;
const RECONNECT_MS_PER_STREAM = 2;

export const reconnectMs = (streams: number): number => Math.max(RECONNECT_MS, streams * RECONNECT_MS_PER_STREAM);

/** A state that many may look at: live/topic.ts. */
export type Shown = {
  /** tells it apart from every other state of the stream */
  readonly name: string;
  /** the newest, as `frame` makes it; null: nothing yet */
  readonly frame: string | null;
  /** returns what ends it */
  follow: (listener: () => void) => () => void;
};

export class EventStream<Events extends StreamEvents<Events>> {
  readonly #response: ServerResponse;
  readonly #streamCount: () => number;
  readonly #states = new Map<string, string>();
  readonly #notices: string[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  #flushTimer: NodeJS.Timeout | null = null;
  #toldUntilMs: () => number = Date.now;
  #flushedAt = 0;
  // when the viewer stopped reading; null: they read
  #blockedSince: number | null = null;
  #closed = false;

  // `streamCount`: how many the server has open.
  constructor(response: ServerResponse, streamCount: () => number = () => 1) {
    this.#response = response;
    this.#streamCount = streamCount;
    // What comes is written as it is, and ends with the connection: chunks would cost more than what is in them.
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

  // The newest state under this name (`key` tells several of one event apart) is sent; older ones are forgotten.
  state<Name extends keyof Events & string>(event: Name, key: string, data: Events[Name]): void {
    this.#put(`${event} ${key}`, frame(event, JSON.stringify(data)));
  }

  // Sends what is shown now, and after each change. Returns what ends it.
  show(shown: Shown): () => void {
    const { name } = shown;
    const send = (): void => {
      if (shown.frame !== null) this.#put(name, shown.frame);
    };
    const end = shown.follow(send);
    send();
    return end;
  }

  // Sent beside those before it, in order.
  notice<Name extends keyof Events & string>(event: Name, data: Events[Name]): void {
    this.#notices.push(frame(event, JSON.stringify(data)));
    if (this.#notices.length > NOTICES_WAITING_MAX) this.#notices.shift();
    this.#schedule();
  }

  // Until when the page has been told everything once all that waits has left, by the server's clock; now unless said otherwise.
  tellsUntil(toldUntilMs: () => number): void {
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
    // What waits for somebody who does not read would never leave, and the stream never end.
    if (this.#blockedSince === null) this.#response.end();
    else this.#response.destroy();
  }

  #put(name: string, state: string): void {
    // deleted first, so that the order of sending is that of the last change
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
    const frames = [...this.#states.values(), ...this.#notices];
    this.#states.clear();
    this.#notices.length = 0;
    // Only the last: who lost the line halfway has not been told of the rest.
    const last = frames.pop() ?? '';
    this.#write(`${frames.join('')}id: ${this.#toldUntilMs()}\n${last}`);
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

/** An event as it stands in a stream, but for its id. */
export function frame(event: string, json: string): string {
  return `event: ${event}\ndata: ${json}\n\n`;
}
