// Writes a data set into the store, through the client, in the layout of model.ts.
//
// Part after part: people, auctions, then the indexes, so that a half-loaded item shows in no list, and the nicknames last.
// Two things end up as if the site's actions had made them, with less work: bids below the 128 that a TopK keeps are
// counted and not sent, and what many transactions would have added to one record is added at once.
import type { Claret, Description } from '@claret/client';
import { DEMO_NAMES } from '@claret/site/data/demo.ts';
import { writeAll } from '@claret/site/data/writing.ts';

import { commentFields } from '../actions/comments.ts';
import { closingFields, openingFields } from '../actions/item-info.ts';
import { commentPair } from '../actions/sale.ts';
import { bidItem, key, openIndexes, sortableTime } from '../model.ts';
import type { SeedBid } from './bidding.ts';
import type { DataSet, SeedItem } from './generate.ts';
import type { SeedUser } from './people.ts';

type Work = Iterable<Description<unknown>>;

export type StoreOptions = {
  // the moment that the data set's times count from
  now_ms: number;
  // of the demo accounts
  demo_credentials: string | null;
  onStep?: (what: string, operations: number) => void;
};

export async function storeDataSet(claret: Claret, data: DataSet, options: StoreOptions): Promise<void> {
  const layout = new Layout(claret, data, options);
  const parts: [what: string, work: Work][] = [
    ['people', layout.people()],
    ['auctions', layout.items()],
    ['indexes', layout.indexes()],
    ['nicknames', layout.nicknames()],
  ];
  for (const [what, work] of parts) await writeAll(claret, work, (operations) => options.onStep?.(what, operations));
}

// How many operations storeDataSet will report.
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
  // What each person's records hold, by their place in data.users.
  readonly #bidding: number[][];
  readonly #selling: number[][];
  readonly #comments: number[][];

  constructor(claret: Claret, data: DataSet, options: StoreOptions) {
    this.#claret = claret;
    this.#data = data;
    this.#options = options;
    const perUser = (): number[][] => data.users.map(() => []);
    this.#bidding = perUser();
    this.#selling = perUser();
    this.#comments = perUser();
    data.items.forEach((item, i) => {
      this.#selling[item.seller]?.push(i);
      for (const user of item.bidders) this.#bidding[user]?.push(i);
    });
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
      if (item.winner === index) work.push(on.scoredSet(key.won(user.id)).add(item.id, now_ms + item.closes_in_ms));
    }
    for (const i of this.#selling[index] ?? []) {
      const item = this.#item(i);
      work.push(on.scoredSet(key.selling(user.id)).add(item.id, now_ms + item.closes_in_ms));
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
    for (const [i, item] of this.#data.items.entries()) yield* this.#auction(item, commented.get(i) ?? []);
  }

  #auction(item: SeedItem, commentPairs: readonly string[]): Work {
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
    });
    const top = item.bids.at(-1);
    const ended = item.closes_in_ms < 0;
    const winner = item.winner === null ? null : this.#user(item.winner);
    const end = ended ? closingFields({ winner, final_price_cents: top?.amount_cents ?? null, stock: null }, now_ms + item.closes_in_ms) : {};
    return [
      on.dict(key.item_info(item.id)).set({ ...fields, ...end }),
      ...item.bids.map((bid, i) => on.topK(key.item_bids(item.id)).add(this.#bidItem(bid, i), bid.amount_cents)),
      ...(item.bid_count === 0 ? [] : [on.counter(key.item_bid_count(item.id)).add(item.bid_count)]),
      ...commentPairs.map((pair) => on.set(key.item_commented(item.id)).add(pair)),
    ];
  }

  #bidItem(bid: SeedBid, index: number): string {
    const { id, nickname } = this.#user(bid.user);
    const placed_at_ms = this.#options.now_ms + bid.placed_in_ms;
    return bidItem({ id: `b${index + 1}`, bidder_id: id, bidder_nickname: nickname, placed_at_ms });
  }

  *indexes(): Work {
    const { on } = this.#claret;
    const listed = new Map<string, SeedItem[]>();
    for (const item of this.#data.items) {
      if (item.closes_in_ms < 0) continue;
      for (const index of openIndexes({ ...item, region_id: this.#regionOf(item) })) {
        const items = listed.get(index);
        if (items === undefined) listed.set(index, [item]);
        else items.push(item);
      }
    }
    for (const [index, items] of listed) {
      for (const item of items) yield on.scoredSet(index).add(item.id, this.#options.now_ms + item.closes_in_ms);
    }
  }

  *nicknames(): Work {
    // A nickname that somebody took before the data set came stays theirs.
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
