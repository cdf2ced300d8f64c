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
// Reads the comments' values of COMMENT_FIELDS, in that order.
type ReadComments = (ids: readonly string[]) => Promise<readonly (readonly (Scalar | null)[])[]>;

// The answers of one round; null: there is no such person.
export async function userOf(
  user_id: string,
  [profile, selling, ...reputation]: UserAnswers,
  read: ReadComments,
): Promise<UserRecords | null> {
  const [nickname, region, createdAt] = profile;
  if (nickname === null || nickname === undefined) return null;
  return {
    user: { id: user_id, nickname: String(nickname), region_id: String(region), created_at_ms: Number(createdAt) },
    ...(await reputationOf(reputation, 0, read)),
    selling,
  };
}

// What others have said of a person.
export type Reputation = Pick<UserRecords, 'rating' | 'comments'>;

// With the comments made since then; null: without comments.
export async function reputationOf(
  [count, mean, min, max, comment_ids]: ReputationAnswers,
  since_ms: number | null,
  read: ReadComments,
): Promise<Reputation> {
  const since = comment_ids.filter(([, at_ms]) => since_ms !== null && at_ms >= since_ms);
  const ids = since.map(([id]) => id).toReversed();
  const texts = ids.length === 0 ? [] : await read(ids);
  return {
    rating: { count: Number(count), mean: numberOrNull(mean), min: numberOrNull(min), max: numberOrNull(max) },
    comments: ids.map((id, i) => parseComment(id, texts[i] ?? [])),
  };
}

export const PROFILE_FIELDS = ['nickname', 'region', 'created_at_ms'] as const;

export type ReputationAnswers = readonly [
  count: Integer,
  mean: Scalar | null,
  min: Scalar | null,
  max: Scalar | null,
  comment_ids: readonly (readonly [string, Integer])[],
];
export type UserAnswers = readonly [profile: readonly (Scalar | null)[], selling: readonly Entry[], ...ReputationAnswers];

// `start`: of the auctions that they sell
export async function readUser(claret: Claret, user_id: string, start: ListStart): Promise<UserRecords | null> {
  const { on } = claret;
  const answers = await claret.transact('ViewUser', [
    on.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
    on.scoredSet(key.selling(user_id)).rangeByScore(start.closes_at_ms, SCORE_MAX, ENTRIES_MAX, start.after),
    ...reputationReads(claret, user_id),
  ]);
  return userOf(user_id, answers, (ids) => readComments(claret, 'ViewUser', user_id, ids));
}

// As reputationOf.
export async function readReputation(claret: Claret, user_id: string, since_ms: number | null): Promise<Reputation> {
  const answers = await claret.transact('ViewSeller', [...reputationReads(claret, user_id)]);
  return reputationOf(answers, since_ms, (ids) => readComments(claret, 'ViewSeller', user_id, ids));
}

function reputationReads({ on }: Claret, user_id: string) {
  const rating = on.summaryBag(key.rating(user_id));
  const comments = on.scoredSet(key.comments(user_id)).range(-LIMITS.comments_shown_max, -1);
  return [rating.count(), rating.mean(), rating.min(), rating.max(), comments] as const;
}

const readComments = (claret: Claret, label: string, user_id: string, ids: readonly string[]) =>
  claret.transact(
    label,
    ids.map((id) => claret.on.dict(key.comment(user_id, id)).get(...COMMENT_FIELDS)),
  );

const numberOrNull = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
