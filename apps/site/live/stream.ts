// One viewer's event stream (text/event-stream), with a bounded memory of what is yet to be sent.
//
// States replace each other: what waits is the newest of each name, so that a slow viewer skips states and never grows a
// queue. Notices are kept in order, the newest NOTICES_WAITING_MAX. Frames leave at most every FLUSH_EVERY_MS.
import type { ServerResponse } from 'node:http';

/** A site's events: name -> data. The event's id is the server's time, which a page sends back when it reconnects. */
export type StreamEvents<Events> = { [Name in keyof Events]: { server_time_ms: number } };

export const FLUSH_EVERY_MS = 100;
export const HEARTBEAT_EVERY_MS = 15_000;
const NOTICES_WAITING_MAX = 50;
// A viewer who has not read for so long is gone.
const STALLED_MS_MAX = 60_000;
// What the browser waits before it reconnects.
const RECONNECT_MS = 1_000;

export class EventStream<Events extends StreamEvents<Events>> {
  readonly #response: ServerResponse;
  readonly #states = new Map<string, string>();
  readonly #notices: string[] = [];
  readonly #heartbeat: NodeJS.Timeout;
  #flushTimer: NodeJS.Timeout | null = null;
  #flushedAt = 0;
  // when the viewer stopped reading; null: they read
  #blockedSince: number | null = null;
  #closed = false;

  constructor(response: ServerResponse) {
    this.#response = response;
    // What comes is written as it is, and ends with the connection: chunks would cost more than what is in them.
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    response.write(`retry: ${RECONNECT_MS}\n\n`);
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
    // deleted first, so that the order of sending is that of the last change
    this.#states.delete(`${event} ${key}`);
    this.#states.set(`${event} ${key}`, frame(event, data));
    this.#schedule();
  }

  // Sent beside those before it, in order.
  notice<Name extends keyof Events & string>(event: Name, data: Events[Name]): void {
    this.#notices.push(frame(event, data));
    if (this.#notices.length > NOTICES_WAITING_MAX) this.#notices.shift();
    this.#schedule();
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#heartbeat);
    if (this.#flushTimer !== null) clearTimeout(this.#flushTimer);
    this.#response.end();
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
    this.#write(frames.join(''));
  }

  #beat(): void {
    if (this.#blockedSince === null) this.#write(': alive\n\n');
    else if (performance.now() - this.#blockedSince > STALLED_MS_MAX) this.#response.destroy();
  }

  #write(text: string): void {
    if (!this.#closed && !this.#response.write(text)) this.#blockedSince = performance.now();
  }
}

function frame(event: string, data: { server_time_ms: number }): string {
  return `id: ${data.server_time_ms}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
