// The transactions that decide on what they read, as scripts that Redis runs atomically (redis-scripts.ts).

import { newBidId, type BidRefusal } from '../../../apps/rubis/server/actions/bid.ts';
import type { CloseRefusal } from '../../../apps/rubis/server/actions/close-auction.ts';
import { commentFields } from '../../../apps/rubis/server/actions/comments.ts';
import { ITEM_FIELDS, parseItemInfo } from '../../../apps/rubis/server/actions/item-info.ts';
import { refuse } from '../../../apps/rubis/server/actions/outcome.ts';
import { openIndexes } from '../../../apps/rubis/server/actions/indexes.ts';
import { bidItem, key, parseBidItem, sortableTime } from '../../../apps/rubis/server/model.ts';
import { textsOf } from './redis-records.ts';
import { closingRefusal, commented, rubisOnRedis, type Deciding } from './redis-rubis.ts';

const FIELDS = [...ITEM_FIELDS];
/** The text around the winner's id in a key. */
const [WON_PREFIX, WON_SUFFIX] = key.won('\0').split('\0') as [string, string];

type StoredTexts = [fields: (string | null)[], bids: string[], bid_count: string | null];
type Closing = [refused: string | null, bid?: string, score?: string];

const deciding: Deciding = {
  async readItem({ shared }, item_id, bids) {
    const keys = [key.item_info(item_id), key.item_bids(item_id), key.item_bid_count(item_id)];
    const [fields, flat, bid_count] = (await shared.readItem(keys, [String(bids), ...FIELDS])) as StoredTexts;
    const top: [string, number][] = [];
    for (let i = 0; i < flat.length; i += 2) top.push([flat[i]!, -flat[i + 1]!]);
    return { fields, bids: top, bid_count: Number(bid_count) };
  },

  async bid({ shared }, { item_id, bidder, amount_cents, placed_at_ms, bid_id }) {
    const item = bidItem({ id: bid_id, bidder_id: bidder.id, bidder_nickname: bidder.nickname, placed_at_ms });
    const refused = await shared.bid(
      [key.item_info(item_id), key.item_bids(item_id), key.item_bid_count(item_id), key.bidding(bidder.id)],
      [bidder.id, String(amount_cents), String(placed_at_ms), item, item_id],
    );
    return refused === null ? { refused: null, bid_id } : refuse(refused as BidRefusal);
  },

  async closeAuction({ shared }, { item_id, now_ms }) {
    // Reads first which indexes list the item; its title never changes.
    const item = parseItemInfo(await shared.hmGet(key.item_info(item_id), FIELDS));
    const tooSoon = closingRefusal(item, now_ms);
    if (tooSoon !== null || item === null) return refuse(tooSoon ?? 'unknown_item');
    const keys = [key.item_info(item_id), key.item_bids(item_id), ...openIndexes(item)];
    const [refused, bid, score] = (await shared.closeAuction(keys, [item_id, String(now_ms), WON_PREFIX, WON_SUFFIX])) as Closing;
    if (refused !== null) return refuse(refused as CloseRefusal);
    if (bid === undefined) return { refused: null, winner: null, final_price_cents: null, ended_by: 'time' };
    const { bidder_id, bidder_nickname } = parseBidItem(bid);
    return { refused: null, winner: { id: bidder_id, nickname: bidder_nickname }, final_price_cents: -score!, ended_by: 'time' };
  },

  async newComment({ shared }, input) {
    const { item_id, from, rating, text, created_at_ms } = input;
    const comment_id = `${sortableTime(created_at_ms)}.${input.comment_id ?? newBidId()}`;
    const about = commented(input);
    const { item_title: _read, ...fields } = textsOf(
      commentFields({ id: comment_id, from, item_id, item_title: '', rating, text, created_at_ms }),
    );
    const written = await shared.newComment(
      [key.item_info(item_id), key.rating(about.id), key.comments(about.id), key.comment(about.id, comment_id)],
      [String(rating), comment_id, String(created_at_ms), ...Object.entries(fields).flat()],
    );
    return written === 1 ? { refused: null, comment_id, about } : refuse('unknown_item');
  },

  async newUser({ shared }, { nickname, region_id, created_at_ms }) {
    const user_id = String(await shared.incr('ids:user'));
    const profile = textsOf({ nickname, region: region_id, created_at_ms });
    const mine = await shared.newUser([key.nickname(nickname), key.profile(user_id)], [user_id, ...Object.entries(profile).flat()]);
    return mine === 1 ? { refused: null, user_id } : refuse('nickname_taken');
  },
};

export const rubisByLua = rubisOnRedis(deciding);
