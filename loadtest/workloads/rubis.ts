// rubis (the paper, section 6.2): people look at auctions and bid on them, the more the sooner an auction ends. Which
// transaction runs when, and on what, is decided here; the transactions are the site's own.
//
// 30,000 items in 62 regions and 40 categories, bids per item zipfian with alpha 1, bids rising exponentially to an
// item's end, as the paper says. Auctions live in the workload's own time, which runs through all closings in
// `horizon_seconds` of real time; whoever closes an auction opens another in its place, so that there are always as many.

import type { Claret } from '@claret/client';
import { bid, newBidId } from '../../apps/rubis/server/actions/bid.ts';
import { browse } from '../../apps/rubis/server/actions/browse.ts';
import { closeAuction } from '../../apps/rubis/server/actions/close-auction.ts';
import { newComment } from '../../apps/rubis/server/actions/new-comment.ts';
import { newUser } from '../../apps/rubis/server/actions/new-user.ts';
import { openAuction } from '../../apps/rubis/server/actions/open-auction.ts';
import { viewAuction } from '../../apps/rubis/server/actions/view-auction.ts';
import { viewUser } from '../../apps/rubis/server/actions/view-user.ts';
import { key } from '../../apps/rubis/server/model.ts';
import { readAll, throwFirst } from './checking.ts';
import { drawFrom, type Mix } from './mix.ts';
import { Zipf } from './zipf.ts';

/** Shares of all transactions, in percent (the paper, Table 3). It gives pairs together; how they are split is ours. */
const RUBIS_MIXES = {
  'bid-heavy': { view_auction: 45, browse: 7, bid: 45, open: 0.5, close: 0.5, comment: 1, new_user: 0.5, view_user: 0.5 },
  'read-heavy': { view_auction: 70, browse: 12, bid: 10, open: 2, close: 2, comment: 2, new_user: 1, view_user: 1 },
} as const;
export type RubisMix = keyof typeof RUBIS_MIXES;
type Kind = keyof (typeof RUBIS_MIXES)[RubisMix];

const ITEMS = 30_000;
const CATEGORIES = 40;
const REGIONS = 62;
const BIDDERS = 20_000;
const ALPHA = 1;
/** Bidding on an item rises by e in this share of the horizon, towards its end. */
const RISE_SHARE = 1 / 20;
/** How likely a bid is on an item whose end is far, to one that ends now. */
const FAR = 0.05;
const DRAWS_MAX = 16;
const LOADED_AT_ONCE = 512;
const EPOCH_MS = 1_500_000_000_000;
const START_PRICE_CENTS = 100;

interface Item {
  item_id: string;
  closes_at_ms: number;
  category: number;
  region: number;
}

export interface RubisOptions {
  mix: RubisMix;
  items?: number;
  /** real seconds in which every item that is there at first comes to its end */
  horizon_seconds: number;
}

export class Rubis {
  readonly #mix: Mix<Kind>;
  readonly #horizon_ms: number;
  readonly #random: () => number;
  readonly #zipf: Zipf;
  /** the open items by popularity */
  readonly #items: Item[] = [];
  /** ranks by when their item ends, soonest last */
  #ending: number[] = [];
  #startedMs = 0;
  #joined = 0;
  /** bids that were accepted, by item */
  readonly accepted = new Map<string, { count: number; highest_cents: number }>();
  /** since `mismatches` looked last: items with new bids, and auctions closed */
  readonly #unchecked = new Set<string>();
  readonly #closings: { item_id: string; final_price_cents: number | null }[] = [];

  constructor(options: RubisOptions, random: () => number) {
    this.#mix = RUBIS_MIXES[options.mix];
    this.#horizon_ms = Math.round(options.horizon_seconds * 1000);
    this.#random = random;
    this.#zipf = new Zipf(options.items ?? ITEMS, ALPHA);
    this.#items.length = options.items ?? ITEMS;
  }

  /** Opens all items. Call once, before `run`; time begins when it resolves. */
  async load(claret: Claret, onProgress: (done: number, total: number) => void = () => {}): Promise<void> {
    const total = this.#items.length;
    for (let first = 0; first < total; first += LOADED_AT_ONCE) {
      const ranks = Array.from({ length: Math.min(LOADED_AT_ONCE, total - first) }, (_, i) => first + i);
      await Promise.all(ranks.map(async (rank) => {
        this.#items[rank] = await this.#open(claret, EPOCH_MS + Math.floor(this.#random() * this.#horizon_ms));
      }));
      onProgress(first + ranks.length, total);
    }
    this.#ending = Array.from({ length: total }, (_, rank) => rank);
    this.#ending.sort((a, b) => this.#items[b]!.closes_at_ms - this.#items[a]!.closes_at_ms);
    this.#startedMs = performance.now();
  }

  /** Of the workload, where `run` begins at EPOCH_MS. */
  nowMs(): number {
    return EPOCH_MS + Math.floor(performance.now() - this.#startedMs);
  }

  /** Runs the next transaction of the mix. Rejects with `ClaretError`. */
  async run(claret: Claret): Promise<void> {
    const random = this.#random;
    const now_ms = this.nowMs();
    switch (drawFrom(this.#mix, this.#random())) {
      case 'view_auction':
        return void (await viewAuction(claret, { item_id: this.#wanted(now_ms).item_id }));
      case 'browse': {
        const { category, region } = this.#items[this.#zipf.draw(random())]!;
        return void (await browse(claret, { category_id: `c${category}`, region_id: random() < 0.5 ? `r${region}` : null, now_ms, after: null }));
      }
      case 'bid':
        return this.#bid(claret, this.#wanted(now_ms), now_ms);
      case 'open':
      case 'close':
        return this.#turnOver(claret, now_ms);
      case 'comment': {
        const item_id = this.#wanted(now_ms).item_id;
        const about = { user_id: `b${this.#bidder()}` };
        return void (await newComment(claret, { item_id, from: person(this.#bidder()), rating: 1 + Math.floor(random() * 5), text: 'As described.', created_at_ms: now_ms, about }));
      }
      case 'new_user': {
        const nickname = `n${this.#joined++}.${Math.floor(random() * 2 ** 32)}`;
        return void (await newUser(claret, { nickname, region_id: 'r0', credentials: null, created_at_ms: now_ms }));
      }
      case 'view_user':
        return void (await viewUser(claret, { user_id: `b${this.#bidder()}`, now_ms: now_ms }));
    }
  }

  async #bid(claret: Claret, item: Item, now_ms: number): Promise<void> {
    const { item_id } = item;
    // What the bidder saw, and a little more: most bids lead when they are made.
    const amount_cents = (this.accepted.get(item_id)?.highest_cents ?? START_PRICE_CENTS) + 1 + Math.floor(this.#random() * 500);
    const placed = await bid(claret, { item_id, bidder: person(this.#bidder()), amount_cents, placed_at_ms: now_ms, bid_id: newBidId() });
    if (placed.refused !== null) return;
    const { count, highest_cents } = this.accepted.get(item_id) ?? { count: 0, highest_cents: 0 };
    this.accepted.set(item_id, { count: count + 1, highest_cents: Math.max(highest_cents, amount_cents) });
    this.#unchecked.add(item_id);
  }

  /** Closes the auction that is due, if there is one, and opens another in its place. */
  async #turnOver(claret: Claret, now_ms: number): Promise<void> {
    const rank = this.#ending.at(-1);
    if (rank === undefined || this.#items[rank]!.closes_at_ms > now_ms) {
      await viewAuction(claret, { item_id: this.#wanted(now_ms).item_id });
      return;
    }
    this.#ending.pop();
    const { item_id } = this.#items[rank]!;
    const closed = await closeAuction(claret, { item_id, now_ms });
    if (closed.refused === null) this.#closings.push({ item_id, final_price_cents: closed.final_price_cents });
    this.#items[rank] = await this.#open(claret, now_ms + this.#horizon_ms);
    this.#ending.unshift(rank);
  }

  async #open(claret: Claret, closes_at_ms: number): Promise<Item> {
    const category = Math.floor(this.#random() * CATEGORIES);
    const region = Math.floor(this.#random() * REGIONS);
    const { item_id } = await openAuction(claret, {
      title: `Item of kind ${category} from ${region}`,
      description: 'It is what it says.',
      category_id: `c${category}`,
      region_id: `r${region}`,
      seller: person(BIDDERS + this.#bidder()),
      start_price_cents: START_PRICE_CENTS,
      opened_at_ms: EPOCH_MS,
      closes_at_ms,
    });
    return { item_id, closes_at_ms, category, region };
  }

  /** An open item that somebody cares about now: the popular, and those that end soon. */
  #wanted(now_ms: number): Item {
    const rise_ms = this.#horizon_ms * RISE_SHARE;
    let item = this.#items[0]!;
    for (let draw = 0; draw < DRAWS_MAX; draw++) {
      item = this.#items[this.#zipf.draw(this.#random())]!;
      const left_ms = item.closes_at_ms - now_ms;
      if (left_ms > 0 && this.#random() < Math.max(FAR, Math.exp(-left_ms / rise_ms))) break;
    }
    return item;
  }

  #bidder(): number {
    return Math.floor(this.#random() * BIDDERS);
  }

  /**
   * Each item holds exactly the accepted bids, its highest is the highest of them, and who closed it saw that one; what
   * is otherwise. Looks at what has changed since it was called last.
   */
  async mismatches(claret: Claret): Promise<string[]> {
    const items = [...this.#unchecked];
    const closings = [...this.#closings];
    this.#unchecked.clear();
    this.#closings.length = 0;
    const found = await readAll<unknown>(claret, items.flatMap((item_id) => [
      claret.on.counter(key.item_bid_count(item_id)).value(),
      claret.on.topK(key.item_bids(item_id)).size(),
      claret.on.topK(key.item_bids(item_id)).max(),
    ]));
    const stored = items.flatMap((item_id, i) => {
      const [counted, held, top] = found.slice(3 * i) as [number, number, [string, number] | null];
      const { count, highest_cents } = this.accepted.get(item_id)!;
      if (counted === count && top?.[1] === highest_cents && held <= count) return [];
      return [`item ${item_id}: ${counted} bids, the highest ${top?.[1]}; accepted were ${count}, the highest ${highest_cents}`];
    });
    const closed = closings.flatMap(({ item_id, final_price_cents }) => {
      const highest = this.accepted.get(item_id)?.highest_cents ?? null;
      return final_price_cents === highest ? [] : [`item ${item_id} closed at ${final_price_cents}; the highest bid accepted was ${highest}`];
    });
    return [...stored, ...closed];
  }

  /** Throws where there are mismatches. */
  async check(claret: Claret): Promise<void> {
    throwFirst(await this.mismatches(claret));
  }
}

const person = (number: number) => ({ id: `b${number}`, nickname: `b${number}` });
