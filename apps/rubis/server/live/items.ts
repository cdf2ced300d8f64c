// Live auctions: each put together from the three records of its item, as this app server last saw them, once for all who
// look.
//
// The records are watched one by one, so for a moment the price may be newer than the count; the next push levels it.
import type { Claret } from '@claret/client';
import { WatchedRecords } from '@claret/site/live/records.ts';
import { Topics, type Look, type OnTopicError, type Topic } from '@claret/site/live/topic.ts';

import { LIMITS, type BidView, type LiveItem } from '../api.ts';
import { auctionState, ITEM_FIELDS, parseItemInfo, type ItemInfo } from '../actions/item-info.ts';
import { bidView } from '../actions/view-auction.ts';
import { key } from '../model.ts';
import { RequestProblem } from '../problem.ts';
import { minNextBidOf, priceOf, type AuctionState } from '../standing.ts';

export type SeenAuction = AuctionState & { id: string; info: ItemInfo; bid_count: number };

// A page opened while the store is out of reach waits no longer than this for the first state.
const FIRST_STATE_TIMEOUT_MS = 3_000;

export class LiveItems {
  readonly #claret: Claret;
  readonly #records: WatchedRecords;
  readonly #topics: Topics;

  constructor(claret: Claret, onError: OnTopicError) {
    this.#claret = claret;
    this.#records = new WatchedRecords(claret);
    this.#topics = new Topics(this.#records, onError);
  }

  // Records watched now, for tests and operators.
  get recordCount(): number {
    return this.#records.size;
  }

  // Null: there is no such item. Events `item` tell of it.
  topic(item_id: string): Topic<SeenAuction | null> {
    const { on } = this.#claret;
    const compose = (look: Look): SeenAuction | null | undefined => {
      const info = look(on.dict(key.item_info(item_id)).get(...ITEM_FIELDS));
      const bids = look(on.topK(key.item_bids(item_id)).top(LIMITS.bid_history_max));
      const count = look(on.counter(key.item_bid_count(item_id)).value());
      if (info === undefined || bids === undefined || count === undefined) return undefined;
      const parsed = parseItemInfo(info);
      return parsed === null ? null : seen(item_id, parsed, bids.map(bidView), Number(count));
    };
    const data = (auction: SeenAuction | null) => (auction === null ? null : { item: liveItem(auction) });
    return this.#topics.get({ event: 'item', key: item_id, compose, data });
  }

  // The auction as last seen by this server; watched for a while from now on. Null: there is no such item.
  // Rejects when the store does not answer in time.
  peek(item_id: string): Promise<SeenAuction | null> {
    const topic = this.topic(item_id);
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const auction = topic.seen;
        if (auction !== undefined) done(() => resolve(auction));
      };
      const done = (settle: () => void): void => {
        clearTimeout(timer);
        end();
        settle();
      };
      const timer = setTimeout(() => done(() => reject(new RequestProblem('busy', { retry_after_s: 2 }))), FIRST_STATE_TIMEOUT_MS);
      const end = topic.follow(check);
      check();
    });
  }

  close(): void {
    this.#records.close();
  }
}

function seen(id: string, info: ItemInfo, bids: BidView[], bid_count: number): SeenAuction {
  return { ...auctionState(info, bids), id, info, bids, bid_count };
}

export function liveItem(auction: SeenAuction): LiveItem {
  const { info } = auction;
  return {
    id: auction.id,
    status: auction.status,
    closes_at_ms: info.closes_at_ms,
    price_cents: priceOf(auction),
    bid_count: auction.bid_count,
    min_next_bid_cents: minNextBidOf(auction),
    top_bids: auction.bids.slice(0, LIMITS.top_bids_live),
    winner: auction.winner,
    closed_at_ms: info.closed_at_ms,
    ended_by: auction.status === 'closed' ? 'time' : null,
    reserve: 'none',
    buy_now: null,
    watchers: 0,
  };
}
