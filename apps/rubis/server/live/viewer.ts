// The content of one live stream: the auctions on its page, and the person's own standings and notices.
import type { Claret } from '@claret/client';
import type { EventStream } from '@claret/site/live/stream.ts';
import { sendConnectionState } from '@claret/site/live/streams.ts';
import type { Topic } from '@claret/site/live/topic.ts';

import { LIMITS, type LiveEvents, type StandingName, type UserRef } from '../api.ts';
import { SCORE_MAX } from '../actions/open-lists.ts';
import { key } from '../model.ts';
import type { LiveItems, SeenAuction } from './items.ts';
import { myBid } from '../standing.ts';
import { noticeFor, saleNotice, standingAt, standingEntry } from './notices.ts';

// Auctions that ended up to this long before the page was opened are included.
const ENDED_SHOWN_MS = 60_000;

export type ViewerInput = {
  item_ids: readonly string[];
  user: UserRef | null;
  // from Last-Event-ID; null on a first connection: nothing was missed
  seen_until_ms: number | null;
};

// An auction that the person takes part in, with the standing and the bid that were last sent: undefined if none were.
type Own = {
  topic: Topic<SeenAuction | null>;
  standing: StandingName | null | undefined;
  bid_id: string | undefined;
  // for one's own sale: the known purchases
  purchases: Set<string>;
};

export class Viewer {
  readonly #claret: Claret;
  readonly #items: LiveItems;
  readonly #stream: EventStream<LiveEvents>;
  readonly #seenUntilMs: number | null;
  readonly #startedAtMs: number;
  readonly #own = new Map<string, Own>();
  // the auctions they take part in are known
  #listed = false;
  readonly #ends: (() => void)[] = [];

  constructor(claret: Claret, items: LiveItems, stream: EventStream<LiveEvents>, input: ViewerInput) {
    this.#claret = claret;
    this.#startedAtMs = claret.clock.nowMs();
    this.#items = items;
    this.#stream = stream;
    this.#seenUntilMs = input.seen_until_ms;
    this.#ends.push(sendConnectionState(claret, stream));
    for (const item_id of input.item_ids) this.#ends.push(stream.show(items.topic(item_id)));
    if (input.user === null) return;
    stream.setToldUntil(() => (this.#hasToldOwn() ? claret.clock.nowMs() : this.#toldUntilMs));
    this.#followOwn(input.user.id);
  }

  close(): void {
    for (const end of this.#ends) end();
  }

  // The lists of auctions one bids on and sells are watched too, so that a bid made elsewhere adds its auction here.
  #followOwn(user_id: string): void {
    const since = this.#startedAtMs - ENDED_SHOWN_MS;
    const lists = [key.bidding(user_id), key.selling(user_id)].map((list) =>
      this.#claret.on.scoredSet(list).rangeByScore(since, SCORE_MAX, LIMITS.live_own_items_max, null),
    );
    const watch = this.#claret.watch(lists, (change) => {
      if (change.error !== undefined) return;
      this.#listed = true;
      for (const [item_id] of change.value) this.#own.has(item_id) || this.#followOne(item_id, user_id);
    });
    this.#ends.push(() => watch.close());
  }

  #followOne(item_id: string, user_id: string): void {
    if (this.#own.size >= 2 * LIMITS.live_own_items_max) return;
    const update = (): void => {
      const auction = own.topic.seen;
      if (auction !== undefined && auction !== null) this.#tell(own, auction, user_id);
    };
    const own: Own = { topic: this.#items.topic(item_id), standing: undefined, bid_id: undefined, purchases: new Set() };
    this.#own.set(item_id, own);
    this.#ends.push(own.topic.follow(update));
    update();
  }

  // Before that, a page that changes to another stream would miss what happened in the meantime.
  #hasToldOwn(): boolean {
    for (const { topic } of this.#own.values()) if (topic.seen === undefined) return false;
    return this.#listed;
  }

  #tell(own: Own, auction: SeenAuction, user_id: string): void {
    const now_ms = this.#claret.clock.nowMs();
    const entry = standingEntry(auction, user_id);
    if (entry === null) return;
    this.#stream.state('standing', auction.item_id, { server_time_ms: now_ms, standing: entry });
    const bid_id = myBid(auction.bids, user_id)?.id;
    // A new bid that was overtaken at once by a secret maximum is a notice, too.
    const isNewBid = own.standing === 'outbid' && bid_id !== own.bid_id;
    const before = own.standing === undefined ? this.#standingBefore(auction, user_id) : isNewBid ? null : own.standing;
    own.standing = entry.standing;
    own.bid_id = bid_id;
    if (auction.info.seller.id === user_id) this.#tellSales(own, auction, now_ms);
    const notice = noticeFor(auction, user_id, before, entry.standing, now_ms);
    if (notice !== null) this.#stream.notice('notice', notice);
  }

  // oldest first
  #tellSales(own: Own, auction: SeenAuction, now_ms: number): void {
    for (const sale of auction.purchases.toReversed()) {
      if (own.purchases.has(sale.purchase_id)) continue;
      own.purchases.add(sale.purchase_id);
      if (sale.bought_at_ms > this.#toldUntilMs) this.#stream.notice('notice', saleNotice(auction, sale, now_ms));
    }
  }

  #standingBefore(auction: SeenAuction, user_id: string): StandingName | null {
    return standingAt(auction, user_id, this.#toldUntilMs);
  }

  // On a first connection everything up to now counts as sent; events after the page's opening are new.
  get #toldUntilMs(): number {
    return this.#seenUntilMs ?? this.#startedAtMs;
  }
}
