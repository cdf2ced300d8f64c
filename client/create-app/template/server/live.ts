// What everybody sees move: the counts of all polls, watched once for this process and sent to each open page (text/event-stream).
//
// Each event is the whole state, so one that is left out costs nothing: at most ten leave in a second, and a page that reads slowly gets the
// newest one when it is ready for it. Memory is bounded by the number of pages.
import type { ServerResponse } from 'node:http';

import type { Claret } from '@claret/client';

import { POLLS, REACTIONS } from './polls.ts';
import { keys } from './votes.ts';

const TELL_EVERY_MS = 100;
/** Proxies close a stream on which nothing is sent. */
const HEARTBEAT_MS = 15_000;
const PAGES_MAX = 10_000;

/** The data of an event: counts by the ids of polls, and of their options and reactions. */
interface State {
  /** false: the counts may be old, since a shard cannot be reached */
  live: boolean;
  polls: Record<string, { votes: Record<string, number>; reactions: Record<string, number> }>;
}

export class Live {
  /** each open page, with the last event that it was sent */
  readonly #pages = new Map<ServerResponse, string | null>();
  readonly #counts = new Map<string, number>();
  readonly #claret: Claret;
  readonly #watched: number;
  readonly #stop: (() => void)[];
  #text: string | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(claret: Claret, onError: (error: Error) => void) {
    this.#claret = claret;
    const watched = POLLS.flatMap(({ id, options }) => [
      ...options.map((option) => keys.votes(id, option.id)),
      ...REACTIONS.map((reaction) => keys.reacted(id, reaction.id)),
    ]);
    this.#watched = watched.length;
    const operations = watched.map((key) => claret.on.counter(key).value());
    const watch = claret.watch(operations, ({ key, value, error }) => {
      if (error !== undefined) return onError(error); // such as a record of another type under this key
      this.#counts.set(key, Number(value));
      this.#schedule();
    });
    const heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
    this.#stop = [() => watch.close(), claret.onStatus(() => this.#schedule()), () => clearInterval(heartbeat)];
  }

  get full(): boolean {
    return this.#pages.size >= PAGES_MAX;
  }

  /** Sends the present state, and each later one, until the page goes away. */
  show(response: ServerResponse, headers: Record<string, string>): void {
    if (response.destroyed) return;
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    response.write('retry: 2000\n\n'); // after so many milliseconds a browser connects again
    response.on('drain', () => this.#bring(response));
    response.on('error', () => response.destroy());
    response.on('close', () => this.#pages.delete(response));
    this.#pages.set(response, null);
    this.#bring(response);
  }

  close(): void {
    for (const stop of this.#stop) stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const page of this.#pages.keys()) {
      if (page.writableNeedDrain) page.destroy(); // what it does not read would never leave
      else page.end();
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#tell(), TELL_EVERY_MS);
  }

  #tell(): void {
    this.#timer = null;
    if (this.#counts.size < this.#watched) return; // not all have been told yet, and none is zero for that
    const text = `data: ${JSON.stringify(this.#state())}\n\n`;
    if (text === this.#text) return;
    this.#text = text;
    for (const page of this.#pages.keys()) this.#bring(page);
  }

  /** Sends the newest event, unless the page has it, or has yet to read what it was sent before. */
  #bring(page: ServerResponse): void {
    const sent = this.#pages.get(page);
    if (sent === undefined || sent === this.#text || this.#text === null || page.writableNeedDrain) return;
    this.#pages.set(page, this.#text);
    page.write(this.#text);
  }

  #beat(): void {
    for (const page of this.#pages.keys()) if (!page.writableNeedDrain) page.write(': still here\n\n');
  }

  #state(): State {
    const count = (key: string) => this.#counts.get(key) ?? 0;
    const of = (list: readonly { id: string }[], keyOf: (id: string) => string) =>
      Object.fromEntries(list.map(({ id }) => [id, count(keyOf(id))]));
    const polls = POLLS.map(({ id, options }) => {
      const votes = of(options, (option) => keys.votes(id, option));
      return [id, { votes, reactions: of(REACTIONS, (reaction) => keys.reacted(id, reaction)) }] as const;
    });
    return { live: this.#claret.status.shards.every(({ state }) => state === 'live'), polls: Object.fromEntries(polls) };
  }
}
