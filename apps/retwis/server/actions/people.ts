// People: the person with a username, a person's profile, and lists of people.
//
// A list is one read of one record. Each card is then a transaction of its own on that person's shard, like each post of a timeline: one
// transaction over thirty people would lock the follower lists of all of them until the busiest is free.
import type { Claret } from '@claret/client';

import { LIMITS, type PersonCard, type Profile, type UserRef } from '../api.ts';
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

/** Null: there is no such person. `viewer_id` is null if the viewer is logged out. */
export async function viewProfile(claret: Claret, input: { user_id: string; viewer_id: string | null }): Promise<ProfileView | null> {
  const { user_id, viewer_id } = input;
  const { on } = claret;
  const [[username, joinedAt], posts, followers, following, follows, followed_by] = await claret.transact('Profile', [
    on.dict(key.profile(user_id)).get('username', 'joined_at_ms'),
    on.scoredSet(key.posts(user_id)).size(),
    on.set(key.followers(user_id)).size(),
    on.set(key.following(user_id)).size(),
    ...(viewer_id === null ? [] : [on.set(key.followers(user_id)).contains(viewer_id), on.set(key.following(user_id)).contains(viewer_id)]),
  ]);
  if (username === null || username === undefined) return null;
  return {
    user: { id: user_id, username: String(username), joined_at_ms: Number(joinedAt) },
    posts: Number(posts),
    followers: Number(followers),
    following: Number(following),
    viewer: viewer_id === null || viewer_id === user_id ? null : { follows: follows === true, followed_by: followed_by === true },
  };
}

export type People = {
  people: PersonCard[];
  /** the last id considered; null: there are no more */
  next: string | null;
};

export type PeopleInput = {
  /** the last id of the page before */
  after: string | null;
  viewer_id: string | null;
};

export const followersPage = (claret: Claret, user_id: string, input: PeopleInput): Promise<People> =>
  peoplePage(claret, 'Followers', key.followers(user_id), input);

export const followingPage = (claret: Claret, user_id: string, input: PeopleInput): Promise<People> =>
  peoplePage(claret, 'Following', key.following(user_id), input);

export const repostersPage = (claret: Claret, post_id: string, input: PeopleInput): Promise<People> =>
  peoplePage(claret, 'Reposters', key.post_reposts(post_id), input);

/** The newest people, newest first; one page. */
export async function newestPeople(claret: Claret, input: { viewer_id: string | null }): Promise<PersonCard[]> {
  const [newest] = await claret.transact('NewestPeople', [claret.on.topK(key.newest_users).top(LIMITS.people_page_size)]);
  return viewCards(
    claret,
    newest.map(([user_id]) => user_id),
    input.viewer_id,
  );
}

async function peoplePage(claret: Claret, label: string, record: string, { after, viewer_id }: PeopleInput): Promise<People> {
  const [found] = await claret.transact(label, [claret.on.set(record).members(LIMITS.people_page_size + 1, after)]);
  const shown = found.slice(0, LIMITS.people_page_size);
  return { people: await viewCards(claret, shown, viewer_id), next: found.length > shown.length ? shown.at(-1)! : null };
}

/** In the given order, without people who do not exist. */
async function viewCards(claret: Claret, user_ids: readonly string[], viewer_id: string | null): Promise<PersonCard[]> {
  const cards = await Promise.all(user_ids.map((user_id) => viewCard(claret, user_id, viewer_id)));
  return cards.filter((card) => card !== null);
}

async function viewCard(claret: Claret, user_id: string, viewer_id: string | null): Promise<PersonCard | null> {
  const followers = claret.on.set(key.followers(user_id));
  const [[username, joinedAt], size, followed] = await claret.transact('PersonCard', [
    claret.on.dict(key.profile(user_id)).get('username', 'joined_at_ms'),
    followers.size(),
    ...(viewer_id === null ? [] : [followers.contains(viewer_id)]),
  ]);
  if (username === null || username === undefined) return null;
  return {
    id: user_id,
    username: String(username),
    joined_at_ms: Number(joinedAt),
    followers: Number(size),
    followed: viewer_id === null || viewer_id === user_id ? null : followed === true,
  };
}
