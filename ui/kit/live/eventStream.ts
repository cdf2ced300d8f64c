// A server-sent-event connection that stays alive: it reconnects with growing, jittered delays, resumes with Last-Event-ID, and takes
// silence for a broken connection. Network, timers and randomness come from `EventStreamWorld`, so that tests can replace them. After
// `close()` no callback is called any more.
import { SseParser, type StreamEvent } from './sseParser.ts';

/**
 * connecting: first attempt; live: bytes arrive; stale: lost, reconnecting, the page may be out of date; offline: the browser has no
 * network
 */
export type ConnectionState = 'connecting' | 'live' | 'stale' | 'offline';

export interface EventStreamWorld {
  fetch(url: string, init: { headers: Record<string, string>; signal: AbortSignal }): Promise<Response>;
  setTimeout(run: () => void, delay_ms: number): number;
  clearTimeout(timer: number): void;
  random(): number;
  isOnline(): boolean;
}

export interface EventStreamOptions {
  url: string;
  onEvent(event: StreamEvent): void;
  onState(state: ConnectionState): void;
  /** where an earlier stream stopped; '' or missing: starts from scratch */
  lastEventId?: string;
  /** an earlier stream was live, so that the page may be out of date without a connection */
  wasLive?: boolean;
  /** silence after which the connection counts as broken; at least twice the server's heartbeat */
  silence_ms?: number;
}

const SILENCE_MS = 40_000;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

export class EventStream {
  private readonly options: EventStreamOptions;
  private readonly world: EventStreamWorld;
  private abort: AbortController | null = null;
  private timer: number | null = null;
  private attempts = 0;
  private firstDelay_ms = FIRST_DELAY_MS;
  /** Retry-After of the last refusal */
  private leastDelay_ms = 0;
  private lastEventId = '';
  private wasLive = false;
  private isClosed = false;

  constructor(options: EventStreamOptions, world: EventStreamWorld) {
    this.options = options;
    this.world = world;
    this.lastEventId = options.lastEventId ?? '';
    this.wasLive = options.wasLive ?? false;
    void this.open();
  }

  /** Reconnects now instead of after the delay: the network is back, or the page is visible again. */
  wake(): void {
    if (this.isClosed || this.abort !== null) return;
    this.attempts = 0;
    void this.open();
  }

  /** The browser reports that the network is gone. */
  sleep(): void {
    if (this.abort !== null || this.timer !== null) this.fail();
  }

  close(): void {
    this.isClosed = true;
    this.stopTimer();
    this.abort?.abort();
    this.abort = null;
  }

  private async open(): Promise<void> {
    this.stopTimer();
    this.tell(this.wasLive ? 'stale' : 'connecting');
    const abort = new AbortController();
    this.abort = abort;
    this.watchSilence();
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' };
      if (this.lastEventId) headers['last-event-id'] = this.lastEventId;
      const response = await this.world.fetch(this.options.url, { headers, signal: abort.signal });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
      if (response.ok && isStream && response.body) await this.read(response.body, abort);
      else this.leastDelay_ms = Math.min(LONGEST_DELAY_MS, 1_000 * (Number(response.headers.get('retry-after')) || 0));
    } catch {
      // Errors and the server's close are handled alike: the stream reconnects.
    }
    if (this.abort === abort) this.fail();
  }

  private async read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const parser = new SseParser(
      {
        onEvent: (event) => {
          this.lastEventId = event.id;
          if (this.abort === abort) this.options.onEvent(event);
        },
        onRetry: (delay_ms) => (this.firstDelay_ms = Math.min(delay_ms, LONGEST_DELAY_MS)),
      },
      this.lastEventId,
    );
    const decoder = new TextDecoder();
    const reader = body.getReader();
    this.wasLive = true;
    this.attempts = 0;
    this.tell('live');
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.abort !== abort) return;
      this.watchSilence();
      parser.push(decoder.decode(value, { stream: true }));
    }
  }

  private watchSilence(): void {
    this.stopTimer();
    this.timer = this.world.setTimeout(() => this.fail(), this.options.silence_ms ?? SILENCE_MS);
  }

  private fail(): void {
    this.abort?.abort();
    this.abort = null;
    this.stopTimer();
    if (this.isClosed) return;
    const isOnline = this.world.isOnline();
    this.tell(isOnline ? (this.wasLive ? 'stale' : 'connecting') : 'offline');
    const ceiling_ms = Math.min(LONGEST_DELAY_MS, this.firstDelay_ms * 2 ** this.attempts++);
    const delay_ms = Math.max(ceiling_ms * (0.5 + this.world.random() / 2), this.leastDelay_ms * (1 + this.world.random() / 2));
    this.leastDelay_ms = 0;
    this.timer = this.world.setTimeout(() => void this.open(), delay_ms);
  }

  private stopTimer(): void {
    if (this.timer !== null) this.world.clearTimeout(this.timer);
    this.timer = null;
  }

  private tell(state: ConnectionState): void {
    if (!this.isClosed) this.options.onState(state);
  }
}
