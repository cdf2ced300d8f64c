// rubis (the paper, section 6.2): people look at auctions and bid on them, more often the sooner an auction ends. This file decides
// which transaction runs when, and on which auction; the transactions are the site's own.
//
// As in the paper, 30,000 auctions in 62 regions and 40 categories have ten bids each on average when the run begins,
// Zipf-distributed with alpha 1 (auctions.ts: popularity and time). Each CloseAuction closes the auction that ends next; the
// OpenAuction that follows opens another at its rank, so that their number stays constant.

import type { Claret } from '@claret/client';
import { bid } from '../../apps/rubis/server/actions/bid.ts';
import { browse } from '../../apps/rubis/server/actions/browse.ts';
import { closeAuction } from '../../apps/rubis/server/actions/close-auction.ts';
import { newComment } from '../../apps/rubis/server/actions/new-comment.ts';
import { newUser } from '../../apps/rubis/server/actions/new-user.ts';
import { openAuction } from '../../apps/rubis/server/actions/open-auction.ts';
import { viewAuction } from '../../apps/rubis/server/actions/view-auction.ts';
import { viewUser } from '../../apps/rubis/server/actions/view-user.ts';
import { Auctions, EPOCH_MS, type Auction } from './auctions.ts';
import type { Records } from '../kit/checking.ts';
import { Mix } from './mix.ts';
import { RubisCheck } from './rubis-check.ts';
import { START_PRICE_CENTS, loadBids, loadPeople, person } from './rubis-data.ts';

/** The site's own transactions. */
export const RUBIS_ACTIONS = { bid, browse, closeAuction, newComment, newUser, openAuction, viewAuction, viewUser };
/** The same transactions on another store. */
export type RubisSite<Store> = {
  [Name in keyof typeof RUBIS_ACTIONS]: (
    store: Store,
    input: Parameters<(typeof RUBIS_ACTIONS)[Name]>[1],
  ) => ReturnType<(typeof RUBIS_ACTIONS)[Name]>;
};

/**
 * Shares of all transactions, in percent (the paper, Table 3). The paper gives pairs together; the split is ours. `40:1` has forty pages that
 * only read for each that changes something, each kind in proportion to `read-heavy`.
 */
export const RUBIS_MIXES = {
  'bid-heavy': { view_auction: 45, browse: 7, bid: 45, open_or_close: 1, comment: 1, new_user: 0.5, view_user: 0.5 },
  'read-heavy': { view_auction: 70, browse: 12, bid: 10, open_or_close: 4, comment: 2, new_user: 1, view_user: 1 },
  '40:1': { view_auction: 82.28, browse: 14.1, bid: 1.44, open_or_close: 0.57, comment: 0.29, new_user: 0.14, view_user: 1.18 },
} as const;
export type RubisMix = keyof typeof RUBIS_MIXES;
export type RubisKind = keyof (typeof RUBIS_MIXES)[RubisMix];

const ITEMS = 30_000;
const PEOPLE = 20_000;
const CATEGORIES = Array.from({ length: 40 }, (_, i) => `c${i}`);
const REGIONS = Array.from({ length: 62 }, (_, i) => `r${i}`);
const TITLE_WORDS = 500;
const HORIZON_SECONDS = 600;
/** Bids rise by a factor of e in this share of the horizon. */
const RISE_SHARE = 1 / 20;
const RAISE_CENTS_MAX = 500;
const LOADED_AT_ONCE = 512;

export interface RubisOptions {
  mix: RubisMix;
  items?: number;
  people?: number;
  /** of the workload's time, in which every initial auction ends */
  horizon_seconds?: number;
  /** ms of the workload's time, initially EPOCH_MS; by default the time of the last closing */
  clock?: () => number;
  /** the time in which bids rise by a factor of e towards an auction's end */
  rise_ms?: number;
}

export class Rubis<Store extends Records = Claret> {
  readonly auctions: Auctions;
  /** the site whose transactions run */
  site: RubisSite<Store>;
  readonly #mix: Mix<RubisKind>;
  readonly #random: () => number;
  readonly #people: number;
  readonly #horizon_ms: number;
  readonly #check = new RubisCheck();
  /** ranks whose auction is closed and not yet replaced */
  readonly #vacant: number[] = [];
  #joined = 0;
  #bids = 0;
  #comments = 0;

  /** @param site for a store other than Claret */
  constructor(options: RubisOptions, random: () => number, site: RubisSite<Store> = RUBIS_ACTIONS as unknown as RubisSite<Store>) {
    this.site = site;
    this.#mix = new Mix(RUBIS_MIXES[options.mix]);
    this.#random = random;
    this.#people = options.people ?? PEOPLE;
    this.#horizon_ms = Math.round(1000 * (options.horizon_seconds ?? HORIZON_SECONDS));
    this.auctions = new Auctions(options.items ?? ITEMS, options.rise_ms ?? this.#horizon_ms * RISE_SHARE, random, options.clock ?? null);
  }

  /** Loads people, auctions and the bids on them. Call once, on a store without a loaded `Rubis`, before `run`. */
  async load(store: Store, onProgress: (done: number, total: number) => void = () => {}): Promise<void> {
    await loadPeople(store, this.#people);
    const total = this.auctions.ranks;
    for (let first = 0; first < total; first += LOADED_AT_ONCE) {
      const ranks = Array.from({ length: Math.min(LOADED_AT_ONCE, total - first) }, (_, i) => first + i);
      await Promise.all(ranks.map((rank) => this.openAt(store, rank, EPOCH_MS + 1 + Math.floor(this.#random() * this.#horizon_ms))));
      onProgress(first + ranks.length, total);
    }
    this.auctions.order();
    await loadBids(store, this.auctions, this.#people);
  }

  /** Draws the kind of the next transaction; `run` does so by default. */
  draw(): RubisKind {
    return this.#mix.draw(this.#random());
  }

  /** Runs one transaction. Rejects with `ClaretError`. */
  async run(store: Store, kind: RubisKind = this.draw()): Promise<void> {
    const { auctions } = this;
    const random = this.#random;
    switch (kind) {
      case 'view_auction':
        return void (await this.site.viewAuction(store, { item_id: auctions.wanted().item_id }));
      case 'browse': {
        const { category, region } = auctions.popular();
        const region_id = random() < 0.5 ? REGIONS[region]! : null;
        return void (await this.site.browse(store, {
          category_id: CATEGORIES[category]!,
          region_id,
          now_ms: auctions.nowMs(),
          after: null,
        }));
      }
      case 'bid':
        return this.#bid(store, auctions.wanted());
      case 'open_or_close':
        return this.#vacant.length > 0 ? this.#openVacant(store) : this.#closeNext(store);
      case 'comment':
        return this.#comment(store);
      case 'new_user': {
        const nickname = `n${this.#joined++}.${Math.floor(random() * 2 ** 32)}`;
        return void (await this.site.newUser(store, {
          nickname,
          region_id: REGIONS[0]!,
          credentials: null,
          created_at_ms: auctions.nowMs(),
        }));
      }
      case 'view_user':
        return void (await this.site.viewUser(store, { user_id: this.#person().id, now_ms: auctions.nowMs() }));
    }
  }

  async #bid(store: Store, auction: Auction): Promise<void> {
    const { item_id, highest_cents } = auction;
    const seen_cents = highest_cents === 0 ? START_PRICE_CENTS : highest_cents;
    // Slightly more than the bidder saw: most bids lead when they are made.
    const amount_cents = seen_cents + 1 + Math.floor(this.#random() * RAISE_CENTS_MAX);
    const placed = await this.site.bid(store, {
      item_id,
      bidder: this.#person(),
      amount_cents,
      placed_at_ms: this.auctions.nowMs(),
      bid_id: `w${(this.#bids++).toString(36)}`,
    });
    if (placed.refused === null) this.#check.bidAccepted(auction, amount_cents);
    else this.#check.bidRefused(auction, placed.refused);
  }

  async #comment(store: Store): Promise<void> {
    const about = this.#person().id;
    const rating = 1 + Math.floor(this.#random() * 5);
    await this.site.newComment(store, {
      item_id: this.auctions.wanted().item_id,
      from: this.#person(),
      about: { user_id: about },
      rating,
      text: 'As described.',
      created_at_ms: this.auctions.nowMs(),
      comment_id: `w${(this.#comments++).toString(36)}`,
    });
    this.#check.commented(about);
  }

  async #openVacant(store: Store): Promise<void> {
    const rank = this.#vacant.pop()!;
    try {
      this.auctions.willEnd(await this.openAt(store, rank, this.auctions.nowMs() + this.#horizon_ms));
    } catch (error) {
      this.#vacant.push(rank);
      throw error;
    }
  }

  async #closeNext(store: Store): Promise<void> {
    const auction = this.auctions.takeEnding();
    // There are fewer auctions than clients, and all of them are being closed: views one instead.
    if (auction === undefined) return this.run(store, 'view_auction');
    try {
      await this.close(store, auction);
    } catch (error) {
      this.auctions.putBack(auction);
      throw error;
    }
  }

  /** Closes the auction, even before its end. The mix opens another in its place. */
  async close(store: Store, auction: Auction): Promise<void> {
    const now_ms = Math.max(auction.closes_at_ms, this.auctions.nowMs());
    const closed = await this.site.closeAuction(store, { item_id: auction.item_id, now_ms });
    if (closed.refused === null) this.#check.closed(auction, closed.final_price_cents);
    else this.#check.closingRefused(auction, closed.refused);
    if (this.auctions.at(auction.rank) === auction) this.#vacant.push(auction.rank);
  }

  /** Opens an auction with the popularity of that rank. The mix does not close it: call `close`. */
  async openAt(store: Store, rank: number, closes_at_ms: number): Promise<Auction> {
    const random = this.#random;
    const category = Math.floor(random() * CATEGORIES.length);
    const region = Math.floor(random() * REGIONS.length);
    const { item_id } = await this.site.openAuction(store, {
      title: `Word${Math.floor(random() * TITLE_WORDS)} Word${Math.floor(random() * TITLE_WORDS)}`,
      description: 'It is what it says.',
      category_id: CATEGORIES[category]!,
      region_id: REGIONS[region]!,
      seller: this.#person(),
      start_price_cents: START_PRICE_CENTS,
      opened_at_ms: EPOCH_MS,
      closes_at_ms,
    });
    const auction: Auction = { item_id, rank, closes_at_ms, category, region, bids: 0, highest_cents: 0, unchecked: false };
    this.auctions.put(auction);
    this.#check.opened();
    const vacancy = this.#vacant.indexOf(rank);
    if (vacancy >= 0) this.#vacant.splice(vacancy, 1);
    return auction;
  }

  #person(): { id: string; nickname: string } {
    return person(Math.floor(this.#random() * this.#people));
  }

  /**
   * Differences between stored and acknowledged data, in the changes since the last call (rubis-check.ts). Call after all begun
   * transactions have ended.
   */
  mismatches(store: Store): Promise<string[]> {
    return this.#check.mismatches(store);
  }
}
