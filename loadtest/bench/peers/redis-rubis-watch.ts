// The transactions that decide on what they read, optimistically: WATCH and reads in one message, then the decision, then MULTI to
// EXEC in another message.

import { newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { commentFields } from '../../../apps/rubis/server/actions/comments.ts';
import { ITEM_FIELDS, closingFields, parseItemInfo } from '../../../apps/rubis/server/actions/item-info.ts';
import { refuse } from '../../../apps/rubis/server/actions/outcome.ts';
import { openIndexes } from '../../../apps/rubis/server/actions/indexes.ts';
import { bidItem, key, parseBidItem, sortableTime } from '../../../apps/rubis/server/model.ts';
import { scored, textsOf } from './redis-records.ts';
import { closingRefusal, commented, rubisOnRedis, type BidInput, type Deciding } from './redis-rubis.ts';

const FIELDS = [...ITEM_FIELDS];

const deciding: Deciding = {
  async readItem({ shared }, item_id, bids) {
    const [fields, top, bid_count] = await shared
      .multi()
      .hmGet(key.item_info(item_id), FIELDS)
      .zRangeWithScores(key.item_bids(item_id), 0, bids - 1)
      .get(key.item_bid_count(item_id))
      .execTyped();
    return { fields, bids: scored(top), bid_count: Number(bid_count) };
  },

  bid(store, input) {
    const { item_id, bidder, amount_cents, placed_at_ms, bid_id } = input;
    const item = bidItem({ id: bid_id, bidder_id: bidder.id, bidder_nickname: bidder.nickname, placed_at_ms });
    const info = key.item_info(item_id);
    return store.optimistic(async (connection) => {
      const [, fields] = await Promise.all([
        connection.watch(info),
        connection.hmGet(info, ['status', 'seller', 'closes_at_ms', 'start_price_cents']),
      ]);
      const refused = bidRefusal(fields, input);
      if (refused !== null) {
        await connection.unwatch();
        return refuse(refused);
      }
      await connection
        .multi()
        .zAdd(key.item_bids(item_id), { value: item, score: -amount_cents })
        .incr(key.item_bid_count(item_id))
        .zAdd(key.bidding(bidder.id), { value: item_id, score: Number(fields[2]) })
        .exec();
      return { refused: null, bid_id };
    });
  },

  closeAuction(store, { item_id, now_ms }) {
    const [info, bids] = [key.item_info(item_id), key.item_bids(item_id)];
    return store.optimistic(async (connection) => {
      const [, fields, highest] = await Promise.all([
        connection.watch([info, bids]),
        connection.hmGet(info, FIELDS),
        connection.zRangeWithScores(bids, 0, 0),
      ]);
      const item = parseItemInfo(fields);
      const refused = closingRefusal(item, now_ms);
      if (refused !== null || item === null) {
        await connection.unwatch();
        return refuse(refused ?? 'unknown_item');
      }
      const top = scored(highest)[0] ?? null;
      const leading = top === null ? null : parseBidItem(top[0]);
      const winner = leading === null ? null : { id: leading.bidder_id, nickname: leading.bidder_nickname };
      const final_price_cents = top === null ? null : top[1];
      const multi = connection.multi().hSet(info, textsOf(closingFields({ winner, final_price_cents, stock: null }, now_ms)));
      for (const index of openIndexes(item)) multi.zRem(index, item_id);
      if (winner !== null) multi.zAdd(key.won(winner.id), { value: item_id, score: now_ms });
      await multi.exec();
      return { refused: null, winner, final_price_cents, ended_by: 'time' };
    });
  },

  newComment(store, input) {
    const { item_id, from, rating, text, created_at_ms } = input;
    const comment_id = `${sortableTime(created_at_ms)}.${input.comment_id ?? newBidId()}`;
    const about = commented(input);
    const info = key.item_info(item_id);
    return store.optimistic(async (connection) => {
      const [, fields] = await Promise.all([connection.watch(info), connection.hmGet(info, FIELDS)]);
      const item = parseItemInfo(fields);
      if (item === null) {
        await connection.unwatch();
        return refuse('unknown_item');
      }
      const comment = commentFields({ id: comment_id, from, item_id, item_title: item.title, rating, text, created_at_ms });
      await connection
        .multi()
        .hIncrBy(key.rating(about.id), String(rating), 1)
        .zAdd(key.comments(about.id), { value: comment_id, score: created_at_ms })
        .hSet(key.comment(about.id, comment_id), textsOf(comment))
        .exec();
      return { refused: null, comment_id, about };
    });
  },

  async newUser(store, { nickname, region_id, created_at_ms }) {
    const user_id = String(await store.shared.incr('ids:user'));
    const mine = key.nickname(nickname);
    return store.optimistic(async (connection) => {
      const [, owner] = await Promise.all([connection.watch(mine), connection.get(mine)]);
      if (owner !== null) {
        await connection.unwatch();
        return refuse('nickname_taken');
      }
      await connection
        .multi()
        .set(mine, user_id)
        .hSet(key.profile(user_id), textsOf({ nickname, region: region_id, created_at_ms }))
        .exec();
      return { refused: null, user_id };
    });
  },
};

function bidRefusal([status, seller, closesAt, startPrice]: (string | null)[], { bidder, amount_cents, placed_at_ms }: BidInput) {
  if (status === null || status === undefined) return 'unknown_item';
  if (status !== 'open' || placed_at_ms >= Number(closesAt)) return 'auction_closed';
  if (seller === bidder.id) return 'own_item';
  return amount_cents < Number(startPrice) ? 'amount_below_minimum' : null;
}

export const rubisByWatch = rubisOnRedis(deciding);
