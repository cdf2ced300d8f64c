// Live readers: open event streams on the hot auctions, as pages hold them. They count events, tell prices, and measure how long after the answer to
// a bid a reader has been told its price, or a higher one.

import { request, type ClientRequest } from 'node:http';
import { headersOf } from '../../kit/browser.ts';
import { pick } from '../../kit/random.ts';
import { addressOf } from './http.ts';

const READERS = 24;
/** After that, a bid counts as unseen. */
const PATIENCE_MS = 3_000;

export interface PriceTold {
  item_id: string;
  price_cents: number;
  min_next_bid_cents: number;
}

interface Awaited {
  cents: number;
  sinceMs: number;
}

const valueOf = (data: string, name: string): number => Number.parseInt(data.slice(data.indexOf(`"${name}":`) + name.length + 3), 10);
const ID = '"id":"';

/** From the data of an `item` event: parsing all of it would cost the driver more than receiving it. */
export function priceIn(data: string): PriceTold {
  const from = data.indexOf(ID, data.indexOf('"item":')) + ID.length;
  return {
    item_id: data.slice(from, data.indexOf('"', from)),
    price_cents: valueOf(data, 'price_cents'),
    min_next_bid_cents: valueOf(data, 'min_next_bid_cents'),
  };
}

/** One stream. Feed it with what arrives, in pieces of any size. */
export class Reader {
  events = 0;
  readonly lagsMs: number[] = [];
  readonly #onPrice: (told: PriceTold) => void;
  readonly #prices = new Map<string, number>();
  readonly #awaited = new Map<string, Awaited[]>();
  #rest = '';
  #event = '';

  constructor(onPrice: (told: PriceTold) => void) {
    this.#onPrice = onPrice;
  }

  get unseen(): number {
    return [...this.#awaited.values()].reduce((sum, bids) => sum + bids.length, 0);
  }

  /** A bid was acknowledged just now. */
  expect(item_id: string, cents: number, nowMs: number): void {
    if ((this.#prices.get(item_id) ?? 0) >= cents) return void this.lagsMs.push(0);
    const bids = this.#awaited.get(item_id) ?? [];
    bids.push({ cents, sinceMs: nowMs });
    this.#awaited.set(item_id, bids);
  }

  feed(text: string, nowMs: number): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('event:')) this.#event = line.slice(6).trim();
      else if (line.startsWith('data:')) this.#hear(line, nowMs);
    }
  }

  /** Forgets what was measured, and what was not seen. */
  reset(): void {
    this.events = 0;
    this.lagsMs.length = 0;
    this.#awaited.clear();
  }

  #hear(data: string, nowMs: number): void {
    this.events++;
    if (this.#event !== 'item') return;
    const told = priceIn(data);
    this.#prices.set(told.item_id, told.price_cents);
    this.#onPrice(told);
    const bids = this.#awaited.get(told.item_id);
    if (bids === undefined) return;
    const left = bids.filter(({ cents, sinceMs }) => {
      if (cents <= told.price_cents) this.lagsMs.push(nowMs - sinceMs);
      return cents > told.price_cents;
    });
    this.#awaited.set(told.item_id, left);
  }
}

export class Readers {
  readonly all: readonly Reader[];
  readonly #streams: ClientRequest[] = [];
  #isClosing = false;

  private constructor(onPrice: (told: PriceTold) => void) {
    // One of them tells prices: the others hear the same.
    this.all = Array.from({ length: READERS }, (_, i) => new Reader(i === 0 ? onPrice : () => {}));
  }

  /** Resolves when each has heard something. */
  static async open(urls: readonly string[], item_ids: readonly string[], onPrice: (told: PriceTold) => void): Promise<Readers> {
    const readers = new Readers(onPrice);
    await Promise.all(readers.all.map((reader, i) => readers.#open(reader, urls[i % urls.length]!, item_ids)));
    return readers;
  }

  #open(reader: Reader, base: string, item_ids: readonly string[]): Promise<void> {
    const headers = {
      ...headersOf({ method: 'GET', origin: base, cookie: null, hasBody: false, key: null }),
      accept: 'text/event-stream',
    };
    return new Promise((resolve, reject) => {
      const stream = request({ ...addressOf(base), agent: false, path: `/api/live?items=${item_ids.join()}`, headers }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a live stream was answered ${answer.statusCode}`));
        answer.setEncoding('utf8');
        answer.on('data', (text: string) => {
          reader.feed(text, performance.now());
          resolve();
        });
        answer.on('error', () => {});
        answer.on('close', () => {
          if (!this.#isClosing) console.error(`a live stream of ${base} has ended`);
        });
      });
      stream.on('error', reject);
      stream.end();
      this.#streams.push(stream);
    });
  }

  /** One of them has to be told of this bid. */
  expect(random: () => number, item_id: string, cents: number): void {
    pick(random, this.all).expect(item_id, cents, performance.now());
  }

  /** Waits for what has been acknowledged but not told; returns and forgets what was measured. */
  async take(): Promise<{ lagsMs: number[]; unseen: number; events: number }> {
    const untilMs = performance.now() + PATIENCE_MS;
    const unseen = () => this.all.reduce((sum, reader) => sum + reader.unseen, 0);
    while (unseen() > 0 && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 10));
    const taken = {
      lagsMs: this.all.flatMap(({ lagsMs }) => lagsMs),
      unseen: unseen(),
      events: this.all.reduce((sum, { events }) => sum + events, 0),
    };
    for (const reader of this.all) reader.reset();
    return taken;
  }

  close(): void {
    this.#isClosing = true;
    for (const stream of this.#streams) stream.destroy();
  }
}
