// What a person's page is made of, apart from the cards: profile, rating, newest comments, and the auctions they sell from a time on.
//
// Profile, rating and lists carry the person's tag: one message to one shard. The comments' texts follow, on the same shard.
import type { Claret, Integer } from '@claret/client';

import { LIMITS, type CommentView, type RatingSummary } from '../api.ts';
import { key } from '../model.ts';
import { COMMENT_FIELDS, parseComment } from './comments.ts';
import type { Scalar } from './item-info.ts';
import { ENTRIES_MAX, SCORE_MAX, type Entry, type ListStart } from './open-lists.ts';

export type ProfileView = { id: string; nickname: string; region_id: string; created_at_ms: number };
export type UserRecords = { user: ProfileView; rating: RatingSummary; comments: CommentView[]; selling: readonly Entry[] };

// The answers of one round; null: there is no such person. `read` answers commentReads.
export async function userOf(
  user_id: string,
  [profile, count, mean, min, max, comment_ids, selling]: UserAnswers,
  read: (ids: readonly string[]) => Promise<readonly (readonly (Scalar | null)[])[]>,
): Promise<UserRecords | null> {
  const [nickname, region, createdAt] = profile;
  if (nickname === null || nickname === undefined) return null;
  const ids = comment_ids.map(([id]) => id).toReversed();
  const texts = ids.length === 0 ? [] : await read(ids);
  return {
    user: { id: user_id, nickname: String(nickname), region_id: String(region), created_at_ms: Number(createdAt) },
    rating: { count: Number(count), mean: numberOrNull(mean), min: numberOrNull(min), max: numberOrNull(max) },
    comments: ids.map((id, i) => parseComment(id, texts[i] ?? [])),
    selling,
  };
}

export const PROFILE_FIELDS = ['nickname', 'region', 'created_at_ms'] as const;

export type UserAnswers = readonly [
  profile: readonly (Scalar | null)[],
  count: Integer,
  mean: Scalar | null,
  min: Scalar | null,
  max: Scalar | null,
  comment_ids: readonly (readonly [string, Integer])[],
  selling: readonly Entry[],
];

// `start`: of the auctions that they sell
export async function readUser(claret: Claret, user_id: string, start: ListStart): Promise<UserRecords | null> {
  const { on } = claret;
  const rating = on.summaryBag(key.rating(user_id));
  const answers = await claret.transact('ViewUser', [
    on.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
    rating.count(),
    rating.mean(),
    rating.min(),
    rating.max(),
    on.scoredSet(key.comments(user_id)).range(-LIMITS.comments_shown_max, -1),
    on.scoredSet(key.selling(user_id)).rangeByScore(start.closes_at_ms, SCORE_MAX, ENTRIES_MAX, start.after),
  ]);
  return userOf(user_id, answers, (ids) =>
    claret.transact(
      'ViewUser',
      ids.map((id) => on.dict(key.comment(user_id, id)).get(...COMMENT_FIELDS)),
    ),
  );
}

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
