// A crowd: many people post, repost, undo, follow and read concurrently, through two app servers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshSeed, randomFrom } from '@claret/client/testing';

import type { UserRef } from '../api.ts';
import { key, repostEntry } from '../model.ts';
import { startWorld, type World } from '../testing/world.ts';
import { catchUp } from './catch-up.ts';
import { follow, unfollow } from './follow.ts';
import { post } from './post.ts';
import { repost, undoRepost } from './repost.ts';
import { viewTimeline } from './timeline.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const WORKERS = 16;
const EACH = 60;

/** Everything stored about these people and posts, read when no transaction runs. */
async function stored(people: readonly UserRef[], posts: readonly string[]) {
  const { claret } = world;
  const sets = (keys: string[]) =>
    claret.transact(
      'Look',
      keys.map((one) => claret.on.set(one).members(1_000, null)),
    );
  const lists = async (keys: string[]) =>
    (
      await claret.transact(
        'Look',
        keys.map((one) => claret.on.scoredSet(one).range(0, -1)),
      )
    ).map((list) => new Set(list.map(([id]) => id)));
  const ids = people.map(({ id }) => id);
  return {
    followers: await sets(ids.map(key.followers)),
    following: await sets(ids.map(key.following)),
    reposts: await sets(posts.map(key.post_reposts)),
    pages: await lists(ids.map(key.posts)),
    timelines: await lists(ids.map(key.timeline)),
  };
}

test('delivers every post to everyone who follows throughout, and keeps both directions of follows and each repost’s page entry', async () => {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const authors = await world.people('author', 4);
  const faithful = await world.people('faithful', 6);
  const fickle = await world.people('fickle', 6);
  const people = [...authors, ...faithful, ...fickle];
  for (const fan of faithful) for (const author of authors) await world.follows(fan, author);

  /** as acknowledged */
  const posts: { post_id: string; author: UserRef }[] = [];
  let now_ms = 1_000;
  const onePost = async (claret: World['claret']) => {
    const author = random.pick(authors);
    const { post_id } = await post(claret, { author, text: 'hello', posted_at_ms: ++now_ms });
    posts.push({ post_id, author });
  };
  const steps: ((claret: World['claret']) => Promise<unknown>)[] = [
    onePost,
    onePost,
    async (claret) =>
      posts.length > 0 &&
      repost(claret, { user_id: random.pick(people).id, post_id: random.pick(posts).post_id, reposted_at_ms: ++now_ms, reposts_seen: 0 }),
    async (claret) =>
      posts.length > 0 && undoRepost(claret, { user_id: random.pick(people).id, post_id: random.pick(posts.slice(-6)).post_id }),
    async (claret) => {
      const input = { follower_id: random.pick(fickle).id, followed_id: random.pick(authors).id };
      if ((await follow(claret, input)).refused === null) await catchUp(claret, input);
    },
    (claret) => unfollow(claret, { follower_id: random.pick(fickle).id, followed_id: random.pick(authors).id }),
    // The newest posts that one permanent follower sees are seen by another who reads later, also through another app server.
    async (claret) => {
      const [first, second] = [random.pick(faithful), random.pick(faithful)];
      const seen = await viewTimeline(claret, { user_id: first.id, after: null });
      const newest = seen.entries.find(({ post: { author } }) => authors.some(({ id }) => id === author.id));
      if (newest === undefined || newest.reposter_id !== null) return;
      const [score] = await (claret === world.claret ? world.other : world.claret).transact('Look', [
        world.claret.on.scoredSet(key.timeline(second.id)).score(newest.id),
      ]);
      expect(score).toBe(-newest.at_ms);
    },
  ];
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      const claret = worker % 2 === 0 ? world.claret : world.other;
      for (let i = 0; i < EACH; i++) await random.pick(steps)(claret);
    }),
  );

  const held = await stored(
    people,
    posts.map(({ post_id }) => post_id),
  );
  const place = new Map(people.map(({ id }, i) => [id, i]));
  const at = <Item>(list: readonly Item[], user_id: string): Item => list[place.get(user_id)!]!;
  expect(posts.length).toBeGreaterThan(WORKERS);
  for (const { post_id, author } of posts) {
    expect(at(held.pages, author.id)).toContain(post_id);
    for (const reader of [author, ...faithful]) expect(at(held.timelines, reader.id)).toContain(post_id);
  }
  people.forEach(({ id }, i) => {
    for (const follower of held.followers[i]!) expect(at(held.following, follower)).toContain(id);
    for (const followed of held.following[i]!) expect(at(held.followers, followed)).toContain(id);
    posts.forEach(({ post_id }, number) => {
      const reposted = held.reposts[number]!.includes(id);
      for (const list of [held.pages[i]!, held.timelines[i]!]) expect(list.has(repostEntry(post_id, id))).toBe(reposted);
      // A permanent follower has exactly the reposts that were not undone.
      if (authors.some((author) => author.id === id)) {
        for (const fan of faithful) expect(at(held.timelines, fan.id).has(repostEntry(post_id, id))).toBe(reposted);
      }
    });
  });
});
