// Writes a data set into the store, through the client, in the layout of model.ts.
//
// Step by step: people, auctions, then the indexes, so that a half-loaded item is on no list, and the nicknames last. Two results are the
// same as if the site's actions had made them, with less work: bids below the 128 that a TopK keeps are counted and not sent, and the
// additions of many transactions to one record are made at once.
import type { Claret, Description } from '@claret/client';
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { writeAll } from '@claret/site/data/writing.ts';

import { purchaseFields } from '../actions/buy-now.ts';
import { commentFields } from '../actions/comments.ts';
import { closingFields, openingFields } from '../actions/item-info.ts';
import { hasStock } from '../actions/open-auction.ts';
import { commentPair } from '../actions/sale.ts';
import { openIndexes, wordsOf } from '../actions/indexes.ts';
import { BEST_BID, bidItem, key, purchaseItem, sortableTime } from '../model.ts';
import type { SeedBid } from './bidding.ts';
import type { DataSet, SeedItem } from './generate.ts';
import type { SeedUser } from './people.ts';

type Work = Iterable<Description<unknown>>;

export type StoreOptions = {
  // the time that the data set's times are relative to
  now_ms: number;
  // of the demo accounts
  demo_credentials: string | null;
  onStep?: (what: string, operations: number) => void;
};

export async function storeDataSet(claret: Claret, data: DataSet, options: StoreOptions): Promise<void> {
  const layout = new Layout(claret, data, options);
  const steps: [what: string, work: Work][] = [
    ['people', layout.people()],
    ['auctions', layout.items()],
    ['indexes', layout.indexes()],
    ['nicknames', layout.nicknames()],
  ];
  for (const [what, work] of steps) await writeAll(claret, work, (operations) => options.onStep?.(what, operations));
}

// The number of operations that storeDataSet will report.
export function countOperations(claret: Claret, data: DataSet, options: StoreOptions): number {
  const layout = new Layout(claret, data, options);
  let count = 0;
  for (const work of [layout.people(), layout.items(), layout.indexes(), layout.nicknames()]) {
    const operations = work[Symbol.iterator]();
    while (operations.next().done !== true) count++;
  }
  return count;
}

class Layout {
  readonly #claret: Claret;
  readonly #data: DataSet;
  readonly #options: StoreOptions;
  // the contents of each person's records, by their index in data.users
  readonly #bidding: number[][];
  readonly #selling: number[][];
  readonly #comments: number[][];
  readonly #bought: [item: number, purchase: number][][];
  readonly #watching: number[][];
  // the watchers of each item, by its index in data.items
  readonly #watchers: number[][];

  constructor(claret: Claret, data: DataSet, options: StoreOptions) {
    this.#claret = claret;
    this.#data = data;
    this.#options = options;
    const perUser = (): number[][] => data.users.map(() => []);
    this.#bidding = perUser();
    this.#selling = perUser();
    this.#comments = perUser();
    this.#bought = data.users.map(() => []);
    this.#watching = perUser();
    this.#watchers = data.items.map(() => []);
    data.items.forEach((item, i) => {
      this.#selling[item.seller]?.push(i);
      for (const user of item.bidders.keys()) this.#bidding[user]?.push(i);
      item.purchases.forEach(({ buyer }, n) => this.#bought[buyer]?.push([i, n]));
    });
    for (const { user, item } of data.watching) {
      this.#watching[user]?.push(item);
      this.#watchers[item]?.push(user);
    }
    data.comments.forEach((comment, i) => this.#comments[comment.about]?.push(i));
  }

  *people(): Work {
    for (const [i, user] of this.#data.users.entries()) yield* this.#person(user, i);
  }

  #person(user: SeedUser, index: number): Work {
    const { on } = this.#claret;
    const { now_ms, demo_credentials } = this.#options;
    const work: Description<unknown>[] = [
      on.dict(key.profile(user.id)).set({
        nickname: user.nickname,
        region: user.region_id,
        created_at_ms: now_ms + user.created_in_ms,
      }),
    ];
    if (demo_credentials !== null && index < DEMO_NAMES.length) {
      work.push(on.register(key.credentials(user.id)).set(demo_credentials));
    }
    for (const i of this.#bidding[index] ?? []) {
      const item = this.#item(i);
      work.push(on.scoredSet(key.bidding(user.id)).add(item.id, now_ms + item.closes_in_ms));
      // Only people who can log in ever see their best bids.
      if (index < DEMO_NAMES.length) work.push(on.topK(key.best_bid(user.id, item.id)).add(BEST_BID, this.#bestBid(item, index)));
      if (item.winner === index) work.push(on.scoredSet(key.won(user.id)).add(item.id, now_ms + item.closes_in_ms));
    }
    for (const i of this.#selling[index] ?? []) {
      const item = this.#item(i);
      work.push(on.scoredSet(key.selling(user.id)).add(item.id, now_ms + item.closes_in_ms));
    }
    for (const [i, n] of this.#bought[index] ?? []) {
      const { id, bought_at_ms } = this.#purchase(this.#item(i), n);
      work.push(on.scoredSet(key.bought(user.id)).add(id, bought_at_ms));
    }
    for (const i of this.#watching[index] ?? []) {
      const item = this.#item(i);
      work.push(on.scoredSet(key.watching(user.id)).add(item.id, now_ms + item.closes_in_ms));
    }
    for (const i of this.#comments[index] ?? []) work.push(...this.#comment(user, i));
    return work;
  }

  #comment(about: SeedUser, index: number): Work {
    const { on } = this.#claret;
    const comment = this.#data.comments[index];
    if (comment === undefined) throw new Error(`no comment ${index}`);
    const created_at_ms = this.#options.now_ms + comment.created_in_ms;
    const id = `${sortableTime(created_at_ms)}.c${index + 1}`;
    const item = this.#item(comment.item);
    const view = {
      id,
      from: this.#user(comment.from),
      item_id: item.id,
      item_title: item.title,
      rating: comment.rating,
      text: comment.text,
      created_at_ms,
    };
    return [
      on.summaryBag(key.rating(about.id)).add(comment.rating),
      on.scoredSet(key.comments(about.id)).add(id, created_at_ms),
      on.dict(key.comment(about.id, id)).set(commentFields(view)),
    ];
  }

  *items(): Work {
    const commented = new Map<number, string[]>();
    for (const { item, from, about } of this.#data.comments) {
      const pair = commentPair(this.#user(from).id, this.#user(about).id);
      commented.set(item, [...(commented.get(item) ?? []), pair]);
    }
    for (const [i, item] of this.#data.items.entries()) yield* this.#auction(item, commented.get(i) ?? [], this.#watchers[i] ?? []);
  }

  #auction(item: SeedItem, commentPairs: readonly string[], watchers: readonly number[]): Work {
    const { on } = this.#claret;
    const { now_ms } = this.#options;
    const fields = openingFields({
      title: item.title,
      description: item.description,
      category_id: item.category_id,
      region_id: this.#regionOf(item),
      seller: this.#user(item.seller),
      start_price_cents: item.start_price_cents,
      opened_at_ms: now_ms + item.opened_in_ms,
      closes_at_ms: now_ms + item.closes_in_ms,
      quantity: item.quantity,
      reserve_price_cents: item.reserve_price_cents,
      buy_now_price_cents: item.buy_now_price_cents,
    });
    const { final_price_cents, ended_by, left } = item;
    const winner = item.winner === null ? null : this.#user(item.winner);
    const stock = ended_by === null || !hasStock(item) ? null : { ended_by, left };
    const end = ended_by === null ? {} : closingFields({ winner, final_price_cents, stock }, now_ms + item.closes_in_ms);
    return [
      on.dict(key.item_info(item.id)).set({ ...fields, ...end }),
      ...item.bids.map((bid, i) => on.topK(key.item_bids(item.id)).add(this.#bidItem(bid, i), bid.max_cents)),
      ...(item.bid_count === 0 ? [] : [on.counter(key.item_bid_count(item.id)).add(item.bid_count)]),
      ...(hasStock(item) ? [on.boundedCounter(key.item_stock(item.id)).increment(left)] : []),
      ...item.purchases.flatMap((_, n) => this.#purchaseRecords(item, n)),
      ...watchers.map((user) => on.set(key.item_watchers(item.id)).add(this.#user(user).id)),
      ...commentPairs.map((pair) => on.set(key.item_commented(item.id)).add(pair)),
    ];
  }

  #bestBid(item: SeedItem, user: number): number {
    const kept = item.bids.flatMap((bid) => (bid.user === user ? [bid.max_cents] : []));
    return Math.max(item.bidders.get(user) ?? 0, ...kept);
  }

  #bidItem(bid: SeedBid, index: number): string {
    const { id, nickname } = this.#user(bid.user);
    const placed_at_ms = this.#options.now_ms + bid.placed_in_ms;
    const amount_cents = bid.max_cents === bid.amount_cents ? null : bid.amount_cents;
    return bidItem({ id: `b${index + 1}`, bidder_id: id, bidder_nickname: nickname, placed_at_ms, amount_cents });
  }

  #purchase(item: SeedItem, index: number): { id: string; buyer: SeedUser; quantity: number; bought_at_ms: number } {
    const purchase = item.purchases[index];
    if (purchase === undefined) throw new Error(`no purchase ${index} of ${item.id}`);
    const { buyer, quantity, bought_in_ms } = purchase;
    const id = `dataset-purchase-${item.id}-${index + 1}`;
    return { id, buyer: this.#user(buyer), quantity, bought_at_ms: this.#options.now_ms + bought_in_ms };
  }

  #purchaseRecords(item: SeedItem, index: number): Description<unknown>[] {
    const { on } = this.#claret;
    const { id, buyer, quantity, bought_at_ms } = this.#purchase(item, index);
    const price_cents = item.buy_now_price_cents ?? 0;
    const facts = { item_id: item.id, buyer_id: buyer.id, quantity, price_cents, bought_at_ms };
    const listed = purchaseItem({ purchase_id: id, buyer_id: buyer.id, buyer_nickname: buyer.nickname, quantity });
    return [
      on.dict(key.purchase(buyer.id, id)).set(purchaseFields(facts)),
      on.scoredSet(key.item_purchases(item.id)).add(listed, bought_at_ms),
    ];
  }

  *indexes(): Work {
    const { on } = this.#claret;
    const listed = new Map<string, SeedItem[]>();
    const words = new Set<string>();
    for (const item of this.#data.items) {
      if (item.closes_in_ms < 0) continue;
      for (const word of wordsOf(item.title)) words.add(word);
      for (const index of openIndexes({ ...item, region_id: this.#regionOf(item) })) {
        const items = listed.get(index);
        if (items === undefined) listed.set(index, [item]);
        else items.push(item);
      }
    }
    for (const word of words) yield on.scoredSet(key.words).add(word, 0);
    for (const [index, items] of listed) {
      for (const item of items) yield on.scoredSet(index).add(item.id, this.#options.now_ms + item.closes_in_ms);
    }
  }

  *nicknames(): Work {
    // A nickname that was registered before the data set was loaded keeps its owner.
    for (const user of this.#data.users) {
      yield this.#claret.on.register(key.nickname(user.nickname)).compareAndSet(null, user.id);
    }
  }

  #item(index: number): SeedItem {
    const item = this.#data.items[index];
    if (item === undefined) throw new Error(`no item ${index}`);
    return item;
  }

  #user(index: number): SeedUser {
    const user = this.#data.users[index];
    if (user === undefined) throw new Error(`no user ${index}`);
    return user;
  }

  #regionOf(item: SeedItem): string {
    return this.#user(item.seller).region_id;
  }
}
