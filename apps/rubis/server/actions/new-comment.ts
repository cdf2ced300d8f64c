// NewComment: one person rates another about a sale.
//
// The rating added is this comment's own, never the sum so far. SummaryBag.add commutes, so a popular seller's ratings
// come in side by side.
import type { Claret } from '@claret/client';

import type { UserRef } from '../api.ts';
import { key, sortableTime } from '../model.ts';
import { newBidId } from './bid.ts';
import { commentFields } from './comments.ts';
import { ITEM_FIELDS, parseItemInfo } from './item-info.ts';
import { refuse, type Outcome } from './outcome.ts';

export type NewCommentInput = {
  item_id: string;
  from: UserRef;
  rating: number;
  text: string;
  created_at_ms: number;
  // The site: winner and seller comment on each other, once each, after the end; the other one is found here.
  // A user's id: about that user, whoever they are and however often, as in RUBiS, whose workload has no such rule.
  about: 'other_party' | { user_id: string };
  // unique among the comments of that moment about that person; made here by default
  comment_id?: string;
};

export type CommentRefusal = 'unknown_item' | 'auction_open' | 'not_a_party' | 'already_commented';
type Stored = { comment_id: string; about: UserRef };

export function newComment(claret: Claret, input: NewCommentInput): Promise<Outcome<Stored, CommentRefusal>> {
  const { item_id, from, rating, text, created_at_ms } = input;
  const comment_id = `${sortableTime(created_at_ms)}.${input.comment_id ?? newBidId()}`;
  return claret.transaction('NewComment', async (tx) => {
    const item = parseItemInfo(await tx.dict(key.item_info(item_id)).get(...ITEM_FIELDS));
    if (item === null) return refuse('unknown_item');

    let about: UserRef;
    if (input.about === 'other_party') {
      if (item.status !== 'closed') return refuse('auction_open');
      const other = otherParty(item, from.id);
      if (other === null) return refuse('not_a_party');
      about = other;
      const commented = tx.set(key.item_commented(item_id));
      if (await commented.contains(from.id)) return refuse('already_commented');
      commented.add(from.id);
    } else {
      about = { id: input.about.user_id, nickname: '' };
    }

    tx.summaryBag(key.rating(about.id)).add(rating);
    tx.scoredSet(key.comments(about.id)).add(comment_id, created_at_ms);
    tx.dict(key.comment(about.id, comment_id)).set(
      commentFields({ id: comment_id, from, item_id, item_title: item.title, rating, text, created_at_ms }),
    );
    return { refused: null, comment_id, about };
  });
}

// Of a closed sale: the seller for the winner, the winner for the seller.
export function otherParty(item: { seller: UserRef; winner: UserRef | null }, user_id: string): UserRef | null {
  if (item.winner === null) return null;
  if (user_id === item.winner.id) return item.seller;
  if (user_id === item.seller.id) return item.winner;
  return null;
}
