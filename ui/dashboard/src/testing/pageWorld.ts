// A page's world for tests: time that passes on demand, and a cluster that streams the given messages.
import type { Pages } from '@claret/ui/kit/live/sharedStream.ts';
import type { LiveFeedWorld } from '../feed/liveFeed.ts';
import { HISTORY_PATH } from '../feed/past.ts';

export class PageWorld implements LiveFeedWorld {
  readonly host = '10.0.0.0:7400';
  time_ms = 0;
  online = true;
  /** the other pages of the browser; none: the page is on its own */
  pages?: Pages;
  /** the response for the shipped recording; null: 404 */
  shipped: Blob | null = null;
  /** the response for the stream; null: no answer, ever */
  answers: (() => Response) | null = null;
  /** the response for the cluster's history; null: 404 */
  history: Blob | Promise<Blob> | null = null;
  /** hosts that do not answer */
  readonly dead = new Set<string>();
  /** requested URLs, except for the history */
  asked: string[] = [];
  askedHistory: string[] = [];
  private timers = new Map<number, { at_ms: number; run: () => void }>();
  private lastTimer = 0;
  private stream: ReadableStreamDefaultController<Uint8Array> | null = null;

  /** From now on the stream's address answers with a stream. */
  up(): void {
    this.answers = () =>
      new Response(new ReadableStream<Uint8Array>({ start: (controller) => void (this.stream = controller) }), {
        headers: { 'content-type': 'text/event-stream' },
      });
  }

  /** Breaks the connection. */
  cut(): void {
    this.stream?.error(new Error('cut'));
    this.stream = null;
  }

  async send(type: string, data: string): Promise<void> {
    this.stream!.enqueue(new TextEncoder().encode(`event: ${type}\ndata: ${data}\n\n`));
    await settled();
  }

  /** Lets this much time pass, timer by timer. */
  async pass(ms: number): Promise<void> {
    const end_ms = this.time_ms + ms;
    for (;;) {
      await settled();
      const due = [...this.timers].filter(([, { at_ms }]) => at_ms <= end_ms).sort(([, one], [, other]) => one.at_ms - other.at_ms)[0];
      if (due === undefined) break;
      this.timers.delete(due[0]);
      this.time_ms = Math.max(this.time_ms, due[1].at_ms);
      due[1].run();
    }
    this.time_ms = end_ms;
    await settled();
  }

  async fetch(url: string, init: { signal: AbortSignal }): Promise<Response> {
    const { host, pathname } = new URL(url, `http://${this.host}`);
    if (pathname === HISTORY_PATH) {
      this.askedHistory.push(url);
      return this.history === null ? new Response(null, { status: 404 }) : new Response(await this.history);
    }
    this.asked.push(url);
    if (this.dead.has(host)) throw new TypeError('Failed to fetch');
    if (pathname === '/readyz') return new Response('{}');
    if (url.endsWith('.gz')) return this.shipped === null ? new Response(null, { status: 404 }) : new Response(this.shipped);
    if (this.answers !== null) return this.answers();
    return new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(new Error('aborted'))));
  }

  setTimeout(run: () => void, delay_ms: number): number {
    this.timers.set(++this.lastTimer, { at_ms: this.time_ms + delay_ms, run });
    return this.lastTimer;
  }

  clearTimeout(timer: number): void {
    this.timers.delete(timer);
  }

  random(): number {
    return 1;
  }

  isOnline(): boolean {
    return this.online;
  }

  now(): number {
    return this.time_ms;
  }
}

/** Waits until pending work, such as reading the next chunk of a stream, has settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits in real time for slow work, such as decompressing a file. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !isSo(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  if (!isSo()) throw new Error('the condition never became true');
}
