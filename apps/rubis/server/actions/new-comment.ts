// NewComment: one person rates another about a sale.
//
// The rating added is this comment's own, never the sum so far. SummaryBag.add commutes, so a popular seller's ratings
// come in side by side.
import type { Claret, Tx } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key, sortableTime } from '../model.ts';
import { newBidId } from './bid.ts';
import { commentFields } from './comments.ts';
import { ITEM_FIELDS, parseItemInfo, type ItemInfo } from './item-info.ts';
import { hasStock } from './open-auction.ts';
import { refuse, type Outcome } from './outcome.ts';
import { commentPair, partnersOf, soldPieces } from './sale.ts';

export type NewCommentInput = {
  item_id: string;
  from: UserRef;
  rating: number;
  text: string;
  created_at_ms: number;
  // party_id, the site: on somebody with whom one has this sale in common (sale.ts), each pair and direction once: winners
  //   after the end, buyers as soon as they have bought. Null: where there is only one.
  // user_id: about that user, whoever they are and however often, as in RUBiS, whose workload has no such rule.
  about: { party_id: string | null } | { user_id: string };
  // unique among the comments of that moment about that person; made here by default
  comment_id?: string;
};

export type CommentRefusal = 'unknown_item' | 'auction_open' | 'not_a_party' | 'about_missing' | 'already_commented';
type Stored = { comment_id: string; about: UserRef };

// `once`: of the transaction; sent again with its id, it is the same comment.
export function newComment(claret: Claret, input: NewCommentInput, once: { id?: string } = {}): Promise<Outcome<Stored, CommentRefusal>> {
  const { item_id, from, rating, text, created_at_ms } = input;
  const comment_id = `${sortableTime(created_at_ms)}.${input.comment_id ?? newBidId()}`;
  return claret.transaction(
    'NewComment',
    async (tx) => {
      const item = parseItemInfo(await tx.dict(key.item_info(item_id)).get(...ITEM_FIELDS));
      if (item === null) return refuse('unknown_item');

      let about: UserRef;
      if ('party_id' in input.about) {
        const partner = await markPartner(tx, input, item, input.about.party_id);
        if (partner.refused !== null) return partner;
        about = partner.user;
      } else {
        about = { id: input.about.user_id, nickname: '' };
      }

      tx.summaryBag(key.rating(about.id)).add(rating);
      tx.scoredSet(key.comments(about.id)).add(comment_id, created_at_ms);
      tx.dict(key.comment(about.id, comment_id)).set(
        commentFields({ id: comment_id, from, item_id, item_title: item.title, rating, text, created_at_ms }),
      );
      return { refused: null, comment_id, about };
    },
    once,
  );
}

// Whom the comment is about, who is now marked as commented on.
async function markPartner(
  tx: Tx,
  { item_id, from }: NewCommentInput,
  item: ItemInfo,
  party_id: string | null,
): Promise<Outcome<{ user: UserRef }, CommentRefusal>> {
  const bought = hasStock(item) ? await tx.scoredSet(key.item_purchases(item_id)).range(0, -1) : [];
  const partners = partnersOf(item, bought.map(soldPieces), from.id);
  if (partners.length === 0) return refuse(item.status === 'open' ? 'auction_open' : 'not_a_party');
  if (party_id === null && partners.length > 1) return refuse('about_missing');
  const user = party_id === null ? partners[0] : partners.find(({ id }) => id === party_id);
  if (user === undefined) return refuse('not_a_party');
  const commented = tx.set(key.item_commented(item_id));
  const pair = commentPair(from.id, user.id);
  if (await commented.contains(pair)) return refuse('already_commented');
  commented.add(pair);
  return { refused: null, user };
}
