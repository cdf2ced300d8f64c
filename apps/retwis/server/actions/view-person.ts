// One person: the person with a username, a profile, a card of a list.
import type { Claret, Integer, Scalar } from '@claret/client';

import type { PersonCard, Profile, UserRef } from '../api.ts';
import { key } from '../model.ts';

/** The person with this username, in any case; null: there is none. */
export function findUser(claret: Claret, input: { username: string }): Promise<UserRef | null> {
  return claret.transaction('FindUser', async (tx) => {
    const id = await tx.register(key.username(input.username)).get();
    if (typeof id !== 'string') return null;
    const [username] = await tx.dict(key.profile(id)).get('username');
    return { id, username: String(username) };
  });
}

export type ProfileView = Omit<Profile, 'server_time_ms'>;
type Viewed = { user_id: string; /** null: logged out */ viewer_id: string | null };

export const PROFILE_FIELDS = ['username', 'joined_at_ms'] as const;

/** Null: there is no such person. */
export async function viewProfile(claret: Claret, { user_id, viewer_id }: Viewed): Promise<ProfileView | null> {
  const { on } = claret;
  const [fields, posts, followers, following, follows, followed_by] = await claret.transact('Profile', [
    on.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
    on.scoredSet(key.posts(user_id)).size(),
    on.set(key.followers(user_id)).size(),
    on.set(key.following(user_id)).size(),
    ...(viewer_id === null ? [] : [on.set(key.followers(user_id)).contains(viewer_id), on.set(key.following(user_id)).contains(viewer_id)]),
  ]);
  const profile = profileOf(user_id, fields, posts, followers, following);
  if (profile === null || viewer_id === null || viewer_id === user_id) return profile;
  return { ...profile, viewer: { follows: follows === true, followed_by: followed_by === true } };
}

/** As those see it who are logged out. */
export function profileOf(
  user_id: string,
  [username, joined_at]: readonly (Scalar | null)[],
  posts: Integer,
  followers: Integer,
  following: Integer,
): ProfileView | null {
  if (username === null || username === undefined) return null;
  return {
    user: { id: user_id, username: String(username), joined_at_ms: Number(joined_at) },
    posts: Number(posts),
    followers: Number(followers),
    following: Number(following),
    viewer: null,
  };
}

/** Null: there is no such person. */
export async function viewCard(claret: Claret, { user_id, viewer_id }: Viewed): Promise<PersonCard | null> {
  const followers = claret.on.set(key.followers(user_id));
  const [fields, size, followed] = await claret.transact('PersonCard', [
    claret.on.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
    followers.size(),
    ...(viewer_id === null ? [] : [followers.contains(viewer_id)]),
  ]);
  const card = cardOf(user_id, fields, size);
  return card === null || viewer_id === null || viewer_id === user_id ? card : { ...card, followed: followed === true };
}

/** As those see it who are logged out. */
export function cardOf(user_id: string, [username, joined_at]: readonly (Scalar | null)[], followers: Integer): PersonCard | null {
  if (username === null || username === undefined) return null;
  return { id: user_id, username: String(username), joined_at_ms: Number(joined_at), followers: Number(followers), followed: null };
}
