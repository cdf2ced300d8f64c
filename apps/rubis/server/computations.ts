// What this server keeps in memory and the store proves at each use (client/API.md, "Computations").
//
// The bodies read the records that the actions read, by the same operations: a page takes a value only where the actions' own reads would
// be answered from memory too (site/kept.ts). They know nothing of time or of who asks: times are arguments and values, and what is
// personal stays outside.
//
// `auction` holds secrets, the bidders' maxima and the reserve, and stays on the server; so does all that is not named public. What is sent
// follows from it by standing.ts, live/items.ts and public-item.ts.
import type { Claret, Computation, Integer, Reader } from '@claret/client';

import { cardAsked } from './actions/cards.ts';
import { COMMENT_FIELDS } from './actions/comments.ts';
import { ITEM_FIELDS } from './actions/item-info.ts';
import { ENTRIES_MAX, SCORE_MAX, type Entry, type ListStart } from './actions/open-lists.ts';
import { PROFILE_FIELDS, reputationOf, userOf, type Reputation, type ReputationAnswers, type UserRecords } from './actions/user-records.ts';
import { auctionAsked, PAGE_PREFIXES, type Auction, type AuctionAnswers } from './actions/view-auction.ts';
import { countsStock, stockOf } from './actions/view-stock.ts';
import { LIMITS, type ItemCard, type Popular, type PublicItem } from './api.ts';
import { CATEGORIES } from './data/categories.ts';
import { key } from './model.ts';
import { publicItem } from './public-item.ts';

// Only tests pay for the checks of purity.
const OPTIONS = { version: 1, strict: process.env['NODE_ENV'] === 'test' };

export type Computations = {
  // null: there is no such item
  auction: Computation<[item_id: string], Auction | null>;
  // as readStock
  stock: Computation<[item_id: string, counts: boolean], readonly Integer[]>;
  card: Computation<[item_id: string], ItemCard | null>;
  // as readEntries
  entries: Computation<[list: string, start: ListStart], readonly Entry[]>;
  openCount: Computation<[list: string], number>;
  // null: there is no such person
  user: Computation<[user_id: string, start: ListStart], UserRecords | null>;
  // as readReputation
  reputation: Computation<[user_id: string, since_ms: number | null], Reputation>;
  popular: Computation<[], Popular['categories']>;
  publicItem: Computation<[item_id: string], PublicItem | null>;
};

export function computationsOf(claret: Claret): Computations {
  const auction = claret.computation('Auction', OPTIONS, (read, item_id: string) =>
    auctionAsked(item_id, PAGE_PREFIXES, asking(read, item_id)),
  );
  const stock = claret.computation('Stock', OPTIONS, (read, item_id: string, counts: boolean): Promise<readonly Integer[]> => {
    const watchers = read.set(key.item_watchers(item_id)).size();
    return Promise.all(counts ? [watchers, read.boundedCounter(key.item_stock(item_id)).value()] : [watchers]);
  });
  const openCount = claret.computation('OpenCount', OPTIONS, async (read, list: string) => Number(await read.scoredSet(list).size()));
  return {
    auction,
    stock,
    openCount,
    card: claret.computation('Card', OPTIONS, (read, item_id: string) => cardAsked(item_id, asking(read, item_id))),
    entries: claret.computation('Entries', OPTIONS, async (read, list: string, start: ListStart): Promise<readonly Entry[]> =>
      entriesIn(read, list, start),
    ),
    user: claret.computation('User', OPTIONS, async (read, user_id: string, start: ListStart) => {
      const [profile, selling, reputation] = await Promise.all([
        read.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
        entriesIn(read, key.selling(user_id), start),
        reputationIn(read, user_id),
      ]);
      return userOf(user_id, [profile, selling, ...reputation], commentsIn(read, user_id));
    }),
    reputation: claret.computation('Reputation', OPTIONS, async (read, user_id: string, since_ms: number | null) =>
      reputationOf(await reputationIn(read, user_id), since_ms, commentsIn(read, user_id)),
    ),
    popular: claret.computation('Popular', OPTIONS, async (read) => {
      const counts = await Promise.all(
        CATEGORIES.map(async ({ id }) => ({ category_id: id, open_count: await read.call(openCount, key.open_category(id)) })),
      );
      return counts.sort((a, b) => b.open_count - a.open_count);
    }),
    publicItem: claret.computation('PublicItem', OPTIONS, async (read, item_id: string) => {
      const found = await read.call(auction, item_id);
      return found === null ? null : publicItem(found, stockOf(found.info, await read.call(stock, item_id, countsStock(found.info))));
    }),
  };
}

const entriesIn = (read: Reader, list: string, { closes_at_ms, after }: ListStart) =>
  read.scoredSet(list).rangeByScore(closes_at_ms, SCORE_MAX, ENTRIES_MAX, after);

function reputationIn(read: Reader, user_id: string): Promise<ReputationAnswers> {
  const rating = read.summaryBag(key.rating(user_id));
  const comments = read.scoredSet(key.comments(user_id)).range(-LIMITS.comments_shown_max, -1);
  return Promise.all([rating.count(), rating.mean(), rating.min(), rating.max(), comments]);
}

const commentsIn = (read: Reader, user_id: string) => (ids: readonly string[]) =>
  Promise.all(ids.map((id) => read.dict(key.comment(user_id, id)).get(...COMMENT_FIELDS)));

// Answers auctionReads.
const asking =
  (read: Reader, item_id: string) =>
  (asked: number): Promise<AuctionAnswers> =>
    Promise.all([
      read.dict(key.item_info(item_id)).get(...ITEM_FIELDS),
      read.topK(key.item_bids(item_id)).top(asked),
      read.counter(key.item_bid_count(item_id)).value(),
    ]);
