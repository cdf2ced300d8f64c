// The auctions' transactions on Redis, with the same reads and writes as the site's own, on records with the same keys
// (redis-records.ts lists the types). Transactions that only read or only write are the same in both variants. Transactions that
// decide on what they read differ: redis-rubis-watch.ts, redis-rubis-lua.ts.

import { LIMITS, type ItemCard } from '../../../apps/rubis/server/api.ts';
import { SCORE_MAX, browseIndex, positionOf } from '../../../apps/rubis/server/actions/browse.ts';
import { listedOf } from '../../../apps/rubis/server/actions/cards.ts';
import { COMMENT_FIELDS, parseComment } from '../../../apps/rubis/server/actions/comments.ts';
import { openingFields, parseItemInfo, type ItemInfo } from '../../../apps/rubis/server/actions/item-info.ts';
import { refuse } from '../../../apps/rubis/server/actions/outcome.ts';
import { parseBid } from '../../../apps/rubis/server/actions/highest-bids.ts';
import { openIndexes } from '../../../apps/rubis/server/actions/indexes.ts';
import { key } from '../../../apps/rubis/server/model.ts';
import type { RubisSite } from '../../workloads/rubis.ts';
import { textsOf } from './redis-records.ts';
import type { RedisStore } from './redis-store.ts';

type Site = RubisSite<RedisStore>;
export type BidInput = Parameters<Site['bid']>[1];

export interface StoredItem {
  /** the values of ITEM_FIELDS */
  fields: (string | null)[];
  /** the highest bids */
  bids: [string, number][];
  bid_count: number;
}

/** The transactions that differ between the variants. */
export interface Deciding extends Pick<Site, 'bid' | 'closeAuction' | 'newComment' | 'newUser'> {
  /** An item with this many of its bids, read atomically. */
  readItem(store: RedisStore, item_id: string, bids: number): Promise<StoredItem>;
}

export function rubisOnRedis(deciding: Deciding): Site {
  const listed = async (store: RedisStore, item_ids: readonly string[]): Promise<ItemCard[]> => {
    const found = await Promise.all(
      item_ids.map(async (item_id) => {
        const { fields, bids, bid_count } = await deciding.readItem(store, item_id, 1);
        return listedOf(item_id, fields, bids, bid_count);
      }),
    );
    return found.filter((one) => one !== null);
  };

  return {
    ...deciding,
    openAuction,

    async viewAuction(store, { item_id }) {
      const { fields, bids, bid_count } = await deciding.readItem(store, item_id, LIMITS.bid_history_max);
      const info = parseItemInfo(fields);
      if (info === null) return refuse('unknown_item');
      return { refused: null, auction: { item_id, info, bids: bids.map(parseBid), bid_count } };
    },

    async browse(store, input) {
      const found = await openFrom(store, browseIndex(input), input.now_ms, LIMITS.page_size + 1);
      const shown = found.slice(0, LIMITS.page_size);
      const items = await listed(
        store,
        shown.map(([item_id]) => item_id),
      );
      return { items, next: found.length > shown.length ? positionOf(shown.at(-1)) : null };
    },

    async viewUser(store, { user_id, now_ms }) {
      const [profile, ratings, commentIds, selling] = await store.shared
        .multi()
        .hmGet(key.profile(user_id), ['nickname', 'region', 'created_at_ms'])
        .hGetAll(key.rating(user_id))
        .zRange(key.comments(user_id), -LIMITS.comments_shown_max, -1)
        .zRange(key.selling(user_id), now_ms, SCORE_MAX, { BY: 'SCORE', LIMIT: { offset: 0, count: LIMITS.page_size } })
        .execTyped();
      const [nickname, region, createdAt] = profile;
      if (nickname === null || nickname === undefined) return refuse('unknown_user');
      const [comments, items] = await Promise.all([readComments(store, user_id, commentIds.toReversed()), listed(store, selling)]);
      const user = { id: user_id, nickname, region_id: String(region), created_at_ms: Number(createdAt) };
      return { refused: null, page: { user, rating: summaryOf(ratings), comments, selling: items } };
    },
  };
}

const openAuction: Site['openAuction'] = async ({ shared }, item) => {
  const item_id = String(await shared.incr('ids:item'));
  const multi = shared.multi().hSet(key.item_info(item_id), textsOf(openingFields(item)));
  for (const list of [key.selling(item.seller.id), ...openIndexes(item)]) multi.zAdd(list, { value: item_id, score: item.closes_at_ms });
  await multi.exec();
  return { refused: null, item_id, closes_at_ms: item.closes_at_ms };
};

async function openFrom({ shared }: RedisStore, index: string, from_ms: number, count: number): Promise<[string, number][]> {
  const found = await shared.zRangeWithScores(index, from_ms, SCORE_MAX, { BY: 'SCORE', LIMIT: { offset: 0, count } });
  return found.map(({ value, score }) => [value, score]);
}

async function readComments({ shared }: RedisStore, user_id: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const multi = shared.multi();
  for (const id of ids) multi.hmGet(key.comment(user_id, id), [...COMMENT_FIELDS]);
  const values = (await multi.exec()) as unknown as (string | null)[][];
  return ids.map((id, i) => parseComment(id, values[i] ?? []));
}

/** A summary from the number of times that each rating was given. */
function summaryOf(ratings: Record<string, string>) {
  const given = Object.entries(ratings).map(([rating, times]) => [Number(rating), Number(times)] as const);
  const count = given.reduce((sum, [, times]) => sum + times, 0);
  if (count === 0) return { count, mean: null, min: null, max: null };
  const values = given.map(([rating]) => rating);
  return {
    count,
    mean: given.reduce((sum, [rating, times]) => sum + rating * times, 0) / count,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** Why an auction cannot be closed now; null: it can. */
export function closingRefusal(item: ItemInfo | null, now_ms: number) {
  if (item === null) return 'unknown_item';
  if (item.status === 'closed') return 'auction_closed';
  return now_ms < item.closes_at_ms ? 'auction_open' : null;
}

/** The subject of a comment, which the workload gives directly. */
export function commented({ about }: Parameters<Site['newComment']>[1]): { id: string; nickname: string } {
  if (!('user_id' in about)) throw new Error('only the workload comments here, and it says on whom');
  return { id: about.user_id, nickname: '' };
}
