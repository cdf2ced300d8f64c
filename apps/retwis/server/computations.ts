// What this server keeps in memory and the store proves at each use (client/API.md, "Computations").
//
// The bodies read the records that the actions read, by the same operations: a page takes a value only where the actions' own reads would
// be answered from memory too (site/kept.ts). They know nothing of time or of who asks: what is personal stays outside. Each post and each
// person of a list is a value of its own, so that a repost of one leaves the others in memory. The public ones are whole, since caches keep
// them whole.
import type { Claret, Computation } from '@claret/client';

import { MEMBERS_MAX, pageOfEntries, type Scored } from './actions/lists.ts';
import { PROFILE_FIELDS, cardOf, profileOf, type ProfileView } from './actions/view-person.ts';
import { POST_FIELDS, postOf } from './actions/view-post.ts';
import { rankTrending } from './actions/view-page.ts';
import type { PersonCard, PublicPerson, PublicPost, UserRef } from './api.ts';
import { key, type EntryKey } from './model.ts';

// Only tests pay for the checks of purity.
const OPTIONS = { version: 1, strict: process.env['NODE_ENV'] === 'test' };
/** With the list itself and two results of each, no more results than a client asks to be firm (client/API.md, "Firm results"). */
const PUBLIC_CANDIDATES = 30;

type Post = PublicPost['post'];

export type Computations = {
  /** null: there is no such post */
  post: Computation<[post_id: string], Post | null>;
  newest: Computation<[record: string, count: number], readonly Scored[]>;
  entries: Computation<[record: string, after: EntryKey | null], readonly Scored[]>;
  members: Computation<[record: string, after: string | null], readonly string[]>;
  /** of a username in lower case; null: there is no such person */
  user: Computation<[username: string], UserRef | null>;
  /** as those see it who are logged out; null: there is no such person */
  profile: Computation<[user_id: string], ProfileView | null>;
  card: Computation<[user_id: string], PersonCard | null>;
  publicTrending: Computation<[], Post[]>;
  /** of a username in lower case; null: there is no such person */
  publicPerson: Computation<[username: string], PublicPerson | null>;
};

export function computationsOf(claret: Claret): Computations {
  const post = claret.computation('Post', OPTIONS, async (read, post_id: string) => {
    const [fields, reposts] = await Promise.all([
      read.dict(key.post_info(post_id)).get(...POST_FIELDS),
      read.set(key.post_reposts(post_id)).size(),
    ]);
    return postOf(post_id, fields, reposts);
  });
  const newest = claret.computation('Newest', OPTIONS, async (read, record: string, count: number): Promise<readonly Scored[]> =>
    read.topK(record).top(count),
  );
  const user = claret.computation('User', OPTIONS, async (read, username: string): Promise<UserRef | null> => {
    const id = await read.register(key.username(username)).get();
    if (typeof id !== 'string') return null;
    const [own] = await read.dict(key.profile(id)).get('username');
    return { id, username: String(own) };
  });
  const profile = claret.computation('Profile', OPTIONS, async (read, user_id: string) => {
    const [fields, ...counts] = await Promise.all([
      read.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
      read.scoredSet(key.posts(user_id)).size(),
      read.set(key.followers(user_id)).size(),
      read.set(key.following(user_id)).size(),
    ]);
    return profileOf(user_id, fields, ...counts);
  });
  return {
    post,
    newest,
    user,
    profile,
    entries: claret.computation('Entries', OPTIONS, async (read, record: string, after: EntryKey | null): Promise<readonly Scored[]> =>
      read.scoredSet(record).rangeByScore(...pageOfEntries(after)),
    ),
    members: claret.computation('Members', OPTIONS, async (read, record: string, after: string | null): Promise<readonly string[]> =>
      read.set(record).members(MEMBERS_MAX, after),
    ),
    card: claret.computation('PersonCard', OPTIONS, async (read, user_id: string) => {
      const [fields, followers] = await Promise.all([
        read.dict(key.profile(user_id)).get(...PROFILE_FIELDS),
        read.set(key.followers(user_id)).size(),
      ]);
      return cardOf(user_id, fields, followers);
    }),
    publicTrending: claret.computation('PublicTrending', OPTIONS, async (read) => {
      const hottest = await read.call(newest, key.trending, PUBLIC_CANDIDATES);
      const posts = await Promise.all(hottest.map(([post_id]) => read.call(post, post_id)));
      return rankTrending(posts.filter((one) => one !== null));
    }),
    publicPerson: claret.computation('PublicPerson', OPTIONS, async (read, username: string): Promise<PublicPerson | null> => {
      const found = await read.call(user, username);
      const seen = found && (await read.call(profile, found.id));
      return seen && { user: seen.user, posts: seen.posts, followers: seen.followers, following: seen.following };
    }),
  };
}
