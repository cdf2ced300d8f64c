// ViewUser: a person with rating, newest comments, and the items they sell now.
//
// Profile, rating and lists carry the person's tag: one message to one shard. The comments' texts, on the same shard, and the cards follow.
import type { Claret } from '@claret/client';

import { LIMITS, type CommentView, type ItemCard, type RatingSummary } from '../api.ts';
import { key } from '../model.ts';
import { SCORE_MAX } from './browse.ts';
import { readListed } from './cards.ts';
import { COMMENT_FIELDS, parseComment } from './comments.ts';
import { refuse, type Outcome } from './outcome.ts';

export type ProfileView = { id: string; nickname: string; region_id: string; created_at_ms: number };
export type UserPage = {
  user: ProfileView;
  rating: RatingSummary;
  comments: CommentView[];
  selling: ItemCard[];
};

export async function viewUser(
  claret: Claret,
  input: { user_id: string; now_ms: number },
): Promise<Outcome<{ page: UserPage }, 'unknown_user'>> {
  const { user_id, now_ms } = input;
  const [profile, count, mean, min, max, commentIds, selling] = await claret.transact('ViewUser', [
    claret.on.dict(key.profile(user_id)).get('nickname', 'region', 'created_at_ms'),
    claret.on.summaryBag(key.rating(user_id)).count(),
    claret.on.summaryBag(key.rating(user_id)).mean(),
    claret.on.summaryBag(key.rating(user_id)).min(),
    claret.on.summaryBag(key.rating(user_id)).max(),
    claret.on.scoredSet(key.comments(user_id)).range(-LIMITS.comments_shown_max, -1),
    claret.on.scoredSet(key.selling(user_id)).rangeByScore(now_ms, SCORE_MAX, LIMITS.page_size, null),
  ]);
  const [nickname, region, createdAt] = profile;
  if (nickname === null || nickname === undefined) return refuse('unknown_user');

  const [comments, cards] = await Promise.all([
    readComments(claret, user_id, commentIds.map(([id]) => id).toReversed()),
    readListed(
      claret,
      'ViewUser',
      selling.map(([item_id]) => item_id),
    ),
  ]);
  const page: UserPage = {
    user: { id: user_id, nickname: String(nickname), region_id: String(region), created_at_ms: Number(createdAt) },
    rating: { count: Number(count), mean: numberOrNull(mean), min: numberOrNull(min), max: numberOrNull(max) },
    comments,
    // A sold-out item stays on the list until its end.
    selling: cards.filter(({ status }) => status === 'open'),
  };
  return { refused: null, page };
}

async function readComments(claret: Claret, user_id: string, ids: readonly string[]): Promise<CommentView[]> {
  if (ids.length === 0) return [];
  const values = await claret.transact(
    'ViewUser',
    ids.map((id) => claret.on.dict(key.comment(user_id, id)).get(...COMMENT_FIELDS)),
  );
  return ids.map((id, i) => parseComment(id, values[i] ?? []));
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
