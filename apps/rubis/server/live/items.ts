// Live auctions: each is computed from the records of its item as this app server last saw them, once for all viewers.
//
// The records are watched separately, so for a moment the price may be newer than the count; the next event corrects that.
import type { Claret, Description, Scalar } from '@claret/client';
import { WatchedRecords } from '@claret/site/live/records.ts';
import { Topics, type Look, type OnTopicError, type Topic } from '@claret/site/live/topic.ts';

import { LIMITS, type LiveItem } from '../api.ts';
import { ParsedBids } from '../actions/highest-bids.ts';
import { ITEM_FIELDS, parseItemInfo } from '../actions/item-info.ts';
import { hasStock } from '../actions/open-auction.ts';
import { soldPieces, type SaleRecords } from '../actions/sale.ts';
import { viewAuction, type Auction } from '../actions/view-auction.ts';
import type { Stock } from '../actions/view-stock.ts';
import { BIDS_KEPT_MAX, key } from '../model.ts';
import { isBuyNowOpen, priceOf, reserveOf, determinesPrice, type Bid } from '../price.ts';
import { RequestProblem } from '../problem.ts';
import { currentPrice, minNextBidOf, publicBids } from '../standing.ts';

// `purchases`: newest first.
export type SeenAuction = Auction & Stock & Pick<SaleRecords, 'purchases'>;

const EVENT = 'item';
// different auctions of all live streams of this server together; also unknown ones, since a lookup is watched for a while
const AUCTIONS_MAX = 50_000;
// watched records per auction, as in `topic`
const RECORDS_EACH_MAX = 7;
// A page opened while the store is unavailable waits at most this long for the first state.
const FIRST_STATE_TIMEOUT_MS = 3_000;
// how long an auction is followed after a purchase, to see whether it was the last piece
const LOOK_AGAIN_MS = 5_000;

export class LiveItems {
  readonly #claret: Claret;
  readonly #records: WatchedRecords;
  readonly #topics: Topics;
  readonly #onSoldOut: (item_id: string) => void;
  readonly #auctionsMax: number;
  readonly #lookedAt = new Map<string, () => void>();

  // `onSoldOut`: called for an open auction with nothing left. Tests alone set a lower `auctions_max`.
  constructor(claret: Claret, onError: OnTopicError, onSoldOut: (item_id: string) => void, auctions_max = AUCTIONS_MAX) {
    this.#auctionsMax = auctions_max;
    this.#claret = claret;
    this.#records = new WatchedRecords(claret);
    this.#topics = new Topics(this.#records, onError);
    this.#onSoldOut = onSoldOut;
  }

  // watched records, for tests and operators
  get recordCount(): number {
    return this.#records.size;
  }

  // Whether these items may be followed in addition to the watched ones; an item that is followed already costs nothing more.
  hasRoomFor(item_ids: readonly string[]): boolean {
    const added = item_ids.filter((item_id) => !this.#topics.has(EVENT, item_id)).length;
    return added === 0 || this.#records.size + added * RECORDS_EACH_MAX <= this.#auctionsMax * RECORDS_EACH_MAX;
  }

  // Null: there is no such item. The topic's events are named `item`.
  topic(item_id: string): Topic<SeenAuction | null> {
    const { on } = this.#claret;
    const parsed = new ParsedBids();
    const compose = (look: Look): SeenAuction | null | undefined => {
      const fields = look(this.#infoOf(item_id));
      const bids = this.#bids(look, item_id, parsed);
      const count = look(on.counter(key.item_bid_count(item_id)).value());
      const watchers = look(on.set(key.item_watchers(item_id)).size());
      if (fields === undefined || bids === undefined || count === undefined || watchers === undefined) return undefined;
      const info = parseItemInfo(fields);
      if (info === null) return null;
      const stock = hasStock(info) ? look(on.boundedCounter(key.item_stock(item_id)).value()) : null;
      const purchases = hasStock(info) ? look(on.scoredSet(key.item_purchases(item_id)).range(0, -1)) : [];
      if (stock === undefined || purchases === undefined) return undefined;
      if (info.status === 'open' && stock !== null && Number(stock) === 0) this.#onSoldOut(item_id);
      const left = stock === null ? null : (info.left ?? Number(stock));
      const sold = { purchases: purchases.map(soldPieces).toReversed() };
      return { item_id, info, bids, bid_count: Number(count), watchers: Number(watchers), left, ...sold };
    };
    const data = (auction: SeenAuction | null) => (auction === null ? null : { item: liveItem(auction) });
    return this.#topics.get({ event: EVENT, key: item_id, compose, data });
  }

  // as many bids as are needed to determine the price
  #bids(look: Look, item_id: string, parsed: ParsedBids): Bid[] | undefined {
    const highest = (asked: number) => {
      const scored = look(this.#claret.on.topK(key.item_bids(item_id)).top(asked));
      return scored && parsed.parse(scored);
    };
    const bids = highest(LIMITS.bid_history_max);
    return bids === undefined || determinesPrice(bids, LIMITS.bid_history_max) ? bids : highest(BIDS_KEPT_MAX);
  }

  // The auction as last seen by this server; it stays watched for a while. Null: there is no such item. Rejects if the store does not
  // answer in time.
  async peek(item_id: string): Promise<SeenAuction | null> {
    const topic = this.topic(item_id);
    const first = await firstSeen(topic, () => true);
    if (first !== null) return first;
    // The item's shard may have committed the opening only after its seller got the answer. A watch does not wait for that; a transaction
    // does.
    const { refused } = await viewAuction(this.#claret, { item_id });
    return refused === null ? firstSeen(topic, (auction) => auction !== null) : null;
  }

  // The same without a question to the store. Null: this server does not follow it, nor has a moment ago.
  known(item_id: string): SeenAuction | null {
    if (!this.#records.has(this.#infoOf(item_id))) return null;
    const topic = this.topic(item_id);
    const end = topic.follow(() => undefined);
    const auction = topic.seen ?? null;
    end();
    return auction;
  }

  #infoOf(item_id: string): Description<(Scalar | null)[]> {
    return this.#claret.on.dict(key.item_info(item_id)).get(...ITEM_FIELDS);
  }

  // Follows the item for a while even without viewers: a piece was bought here, which may have been the last.
  lookAgain(item_id: string): void {
    this.#lookedAt.get(item_id)?.();
    const unfollow = this.topic(item_id).follow(() => undefined);
    const timer = setTimeout(() => end(), LOOK_AGAIN_MS).unref();
    const end = (): void => {
      clearTimeout(timer);
      unfollow();
      if (this.#lookedAt.get(item_id) === end) this.#lookedAt.delete(item_id);
    };
    this.#lookedAt.set(item_id, end);
  }

  close(): void {
    for (const end of [...this.#lookedAt.values()]) end();
    this.#records.close();
  }
}

// Mostly there is such a state already, as before each bid on a hot auction. Rejects if none is seen in time.
function firstSeen(topic: Topic<SeenAuction | null>, wanted: (auction: SeenAuction | null) => boolean): Promise<SeenAuction | null> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | null = null;
    const done = (settle: () => void): void => {
      if (timer !== null) clearTimeout(timer);
      end();
      settle();
    };
    const isSeen = (): boolean => {
      const auction = topic.seen;
      if (auction === undefined || !wanted(auction)) return false;
      done(() => resolve(auction));
      return true;
    };
    const end = topic.follow(isSeen);
    if (isSeen()) return;
    timer = setTimeout(() => done(() => reject(new RequestProblem('busy', { retry_after_s: 2 }))), FIRST_STATE_TIMEOUT_MS);
  });
}

export function liveItem(auction: Omit<SeenAuction, 'purchases'>): LiveItem {
  const { info, bids, left } = auction;
  const { buy_now_price_cents } = info;
  const withdrawn = !isBuyNowOpen(buy_now_price_cents, priceOf(info, bids));
  return {
    id: auction.item_id,
    status: info.status,
    closes_at_ms: info.closes_at_ms,
    price_cents: currentPrice(auction),
    bid_count: auction.bid_count,
    min_next_bid_cents: minNextBidOf(auction),
    top_bids: publicBids(auction, LIMITS.top_bids_live),
    winner: info.winner,
    closed_at_ms: info.closed_at_ms,
    ended_by: info.ended_by,
    reserve: reserveOf(info, bids),
    buy_now: buy_now_price_cents === null || left === null ? null : { price_cents: buy_now_price_cents, left, withdrawn },
    watchers: auction.watchers,
  };
}
