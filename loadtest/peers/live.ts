// The auctions that this app server's live streams show: each is read once, followed by its changes, and encoded for all streams together, at
// most every TELL_EVERY_MS, as the site does it.
import { eventText, type Shown } from '../../apps/site/live/stream.ts';
import type { AuctionStore, Change, ViewedAuction } from './store.ts';
import { liveItemOf } from './views.ts';
import { LIMITS } from '../../apps/rubis/server/api.ts';

const TELL_EVERY_MS = 100;
const TIMER_MS_MAX = 2 ** 31 - 1;

export class LiveAuctions {
  readonly #store: AuctionStore;
  readonly #open = new Map<string, Promise<LiveAuction | null>>();

  constructor(store: AuctionStore) {
    this.#store = store;
  }

  /** Null: there is no such item. */
  auction(item_id: string): Promise<LiveAuction | null> {
    const open = this.#open.get(item_id) ?? LiveAuction.open(this.#store, item_id, () => this.#open.delete(item_id));
    this.#open.set(item_id, open);
    return open;
  }
}

export class LiveAuction implements Shown {
  readonly name: string;
  text: string | null = null;
  readonly #store: AuctionStore;
  readonly #onIdle: () => void;
  readonly #followers = new Set<() => void>();
  /** null until it is read; changes wait meanwhile */
  #auction: ViewedAuction | null = null;
  #waiting: Change[] = [];
  #toldAtMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #end: NodeJS.Timeout | undefined;

  private constructor(store: AuctionStore, item_id: string, onIdle: () => void) {
    this.name = `item ${item_id}`;
    this.#store = store;
    this.#onIdle = onIdle;
  }

  static async open(store: AuctionStore, item_id: string, onEnd: () => void): Promise<LiveAuction | null> {
    let unfollow = (): void => undefined;
    const end = (): void => {
      onEnd();
      unfollow();
    };
    try {
      const live = new LiveAuction(store, item_id, end);
      unfollow = await store.follow(item_id, (change) => live.#apply(change)); // before the read, or a bid could be missed
      if (await live.#read(item_id)) return live;
      end();
      return null;
    } catch (error) {
      end();
      throw error;
    }
  }

  follow(listener: () => void): () => void {
    this.#followers.add(listener);
    return () => {
      if (!this.#followers.delete(listener) || this.#followers.size > 0) return;
      clearTimeout(this.#timer ?? undefined);
      clearTimeout(this.#end);
      this.#onIdle();
    };
  }

  async #read(item_id: string): Promise<boolean> {
    this.#auction = null;
    const auction = await this.#store.auction(item_id, LIMITS.top_bids_live, null);
    if (auction === null) return false;
    this.#auction = auction;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const change of waiting) this.#apply(change);
    this.#encode();
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#tellSoon(), Math.min(Math.max(0, auction.closes_at_ms - Date.now()), TIMER_MS_MAX)).unref();
    return true;
  }

  #apply(change: Change): void {
    const auction = this.#auction;
    if (auction === null) return void this.#waiting.push(change);
    const { bid, bid_count, min_next_bid_cents } = change;
    if (bid_count <= auction.bid_count) return;
    if (bid_count > auction.bid_count + 1) {
      // Messages were lost with a connection.
      void this.#read(auction.id).then(
        () => this.#tellSoon(),
        () => (this.#auction ??= auction),
      );
      return;
    }
    const bids = [bid, ...auction.bids.slice(0, LIMITS.top_bids_live - 1)];
    this.#auction = { ...auction, bids, bid_count, min_next_bid_cents, price_cents: bid.amount_cents, leader: bid.bidder };
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.#tell(), Math.max(0, this.#toldAtMs + TELL_EVERY_MS - performance.now()));
  }

  #tell(): void {
    this.#timer = null;
    this.#toldAtMs = performance.now();
    this.#encode();
    for (const listener of this.#followers) listener();
  }

  #encode(): void {
    const now_ms = Date.now();
    if (this.#auction === null) return;
    this.text = eventText('item', JSON.stringify({ server_time_ms: now_ms, item: liveItemOf(this.#auction, now_ms) }));
  }
}
