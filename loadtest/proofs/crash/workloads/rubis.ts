// The auction site's own transactions, run by a client that keeps a history: many bids, views of the auctions, comments.

import { bid, newBidId } from '../../../../apps/rubis/server/actions/bid.ts';
import { newComment } from '../../../../apps/rubis/server/actions/new-comment.ts';
import { viewAuction } from '../../../../apps/rubis/server/actions/view-auction.ts';
import type { Begin } from '../workload.ts';

const PEOPLE = 8;
const BID_SHARE = 0.7;
const COMMENT_SHARE = 0.1;

export const rubis: Begin = ({ claret, chance }) => {
  const person = () => {
    const id = `d${chance.below(PEOPLE)}`;
    return { id, nickname: id };
  };
  return {
    run({ items }) {
      const item_id = chance.pick(items);
      const kind = chance.next();
      if (kind < BID_SHARE) {
        const amount_cents = 100 + chance.below(100_000);
        return bid(claret, { item_id, bidder: person(), amount_cents, placed_at_ms: Date.now(), bid_id: newBidId() });
      }
      if (kind > BID_SHARE + COMMENT_SHARE) return viewAuction(claret, { item_id });
      const about = { user_id: person().id };
      return newComment(claret, {
        item_id,
        from: person(),
        about,
        rating: chance.below(5) + 1,
        text: 'As described.',
        created_at_ms: Date.now(),
      });
    },
  };
};
