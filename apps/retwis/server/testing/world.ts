// For tests: a real cluster of two shards in this process with two app servers' clients, and shortcuts for people's actions.
import { inProcessCluster, type ClusterOptions, type InProcessCluster } from '@claret/client/testing';
import type { Claret } from '@claret/client';

import { catchUp } from '../actions/catch-up.ts';
import { follow, unfollow } from '../actions/follow.ts';
import { newUser } from '../actions/new-user.ts';
import { post } from '../actions/post.ts';
import { repost, repostsSeen, undoRepost } from '../actions/repost.ts';
import type { UserRef } from '../api.ts';

export type World = {
  cluster: InProcessCluster;
  claret: Claret;
  /** the client of another app server */
  other: Claret;
  person: (username: string) => Promise<UserRef>;
  people: (names: string, count: number) => Promise<UserRef[]>;
  /** as the site does, including CatchUp; returns the result of Follow */
  follows: (follower: UserRef, followed: UserRef) => ReturnType<typeof follow>;
  unfollows: (follower: UserRef, followed: UserRef) => ReturnType<typeof unfollow>;
  /** returns the post's id */
  writes: (author: UserRef, text: string, posted_at_ms?: number) => Promise<string>;
  /** as the site does: the reposts are read first */
  reposts: (user: UserRef, post_id: string, reposted_at_ms?: number) => ReturnType<typeof repost>;
  undoes: (user: UserRef, post_id: string) => ReturnType<typeof undoRepost>;
  stop: () => Promise<void>;
};

export async function startWorld(clusterOptions: ClusterOptions = {}): Promise<World> {
  const cluster = await inProcessCluster({ shards: 2, ...clusterOptions });
  const claret = await cluster.connect({ name: 'test' });
  await claret.clock.ready();
  // As the site has it: the clocks of the cluster may be behind after a standstill of this process.
  const nowMs = () => claret.clock.nowMs();
  const person = async (username: string): Promise<UserRef> => {
    const created = await newUser(claret, { username, credentials: null, joined_at_ms: nowMs() });
    if (created.refused !== null) throw new Error(created.refused);
    return { id: created.user_id, username };
  };
  return {
    cluster,
    claret,
    other: await cluster.connect({ name: 'other' }),
    person,
    people: (names, count) => Promise.all(Array.from({ length: count }, (_, i) => person(`${names}${i}`))),
    async follows(follower, followed) {
      const input = { follower_id: follower.id, followed_id: followed.id };
      const outcome = await follow(claret, input);
      if (outcome.refused === null) await catchUp(claret, input);
      return outcome;
    },
    unfollows: (follower, followed) => unfollow(claret, { follower_id: follower.id, followed_id: followed.id }),
    writes: async (author, text, posted_at_ms = nowMs()) => (await post(claret, { author, text, posted_at_ms })).post_id,
    async reposts(user, post_id, reposted_at_ms = nowMs()) {
      const reposts_seen = await repostsSeen(claret, { post_id });
      return repost(claret, { user_id: user.id, post_id, reposted_at_ms, reposts_seen });
    },
    undoes: (user, post_id) => undoRepost(claret, { user_id: user.id, post_id }),
    stop: () => cluster.stop(),
  };
}
