// A random sequence of actions against a trivial model (testing/reference.ts): every page shows what the model shows.
import { freshSeed, randomFrom, type Random } from '@claret/client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { Reference } from '../testing/reference.ts';
import { startWorld, type World } from '../testing/world.ts';
import { followersPage, followingPage, repostersPage, type People } from './people.ts';
import { viewProfile } from './view-person.ts';
import { post } from './post.ts';
import { Usernames } from './usernames.ts';
import { viewPost } from './view-post.ts';
import { latestPage, postsPage, timelinePage, type Entries } from './view-page.ts';

const STEPS = 1_500;
const PEOPLE = 7;
/** Few, so that many events have the same time. */
const TIMES = 200;

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

type State = { random: Random; people: UserRef[]; posts: string[]; reference: Reference };

const ACTIONS: ((state: State) => Promise<void>)[] = [
  async ({ random, people, posts, reference }) => {
    const [author, at_ms] = [random.pick(people), random.below(TIMES)];
    const { post_id, reached } = await post(world.claret, { author, text: random.text(20), posted_at_ms: at_ms });
    posts.push(post_id);
    expect(reached).toBe(reference.post(author.id, post_id, at_ms));
  },
  async ({ random, people, posts, reference }) => {
    const [user, post_id, at_ms] = [random.pick(people), random.pick([...posts, 'nothing']), random.below(TIMES)];
    const outcome = await world.reposts(user, post_id, at_ms);
    expect(outcome.refused ?? outcome.reached).toBe(reference.repost(user.id, post_id, at_ms));
  },
  async ({ random, people, posts, reference }) => {
    const [user, post_id] = [random.pick(people), random.pick([...posts.slice(-8), 'nothing'])];
    const outcome = await world.undoes(user, post_id);
    expect(outcome.refused ?? outcome.reached).toBe(reference.undo(user.id, post_id));
  },
  async ({ random, people, reference }) => {
    const [follower, followed] = [random.pick(people), random.pick(people)];
    expect((await world.follows(follower, followed)).refused).toBe(reference.follow(follower.id, followed.id));
  },
  async ({ random, people, reference }) => {
    const [follower, followed] = [random.pick(people), random.pick(people)];
    expect((await world.unfollows(follower, followed)).refused).toBe(reference.unfollow(follower.id, followed.id));
  },
];

async function pagesOf(read: (after: Entries['next']) => Promise<Entries>): Promise<string[][]> {
  const pages: string[][] = [];
  let next: Entries['next'] = null;
  do {
    const page: Entries = await read(next);
    pages.push(page.entries.map(({ id }) => id));
    next = page.next;
  } while (next !== null);
  return pages;
}

async function sortedIds(read: (after: string | null) => Promise<People>): Promise<string[]> {
  return (await read(null)).people.map(({ id }) => id).toSorted();
}

async function compare({ people, posts, reference, random }: State): Promise<void> {
  const { claret } = world;
  const usernames = new Usernames();
  for (const user of people) {
    const input = { user_id: user.id, viewer_id: null };
    expect(await pagesOf((after) => timelinePage(claret, usernames, { user_id: user.id, after }))).toEqual(reference.timeline(user.id));
    expect(await pagesOf((after) => postsPage(claret, { user, viewer_id: null, after }))).toEqual(reference.page(user.id));
    expect(await sortedIds((after) => followersPage(claret, user.id, { after, viewer_id: null }))).toEqual(reference.followers(user.id));
    expect(await sortedIds((after) => followingPage(claret, user.id, { after, viewer_id: null }))).toEqual(reference.following(user.id));
    expect(await viewProfile(claret, input)).toMatchObject({
      posts: reference.count(user.id),
      followers: reference.followers(user.id).length,
      following: reference.following(user.id).length,
    });
  }
  expect((await pagesOf((after) => latestPage(claret, { viewer_id: null, after }))).flat()).toEqual(reference.latest());
  for (const post_id of posts.slice(-5)) {
    const viewer = random.pick(people);
    const reposters = reference.reposters(post_id);
    expect(await sortedIds((after) => repostersPage(claret, post_id, { after, viewer_id: null }))).toEqual(reposters);
    expect(await viewPost(claret, { post_id, viewer_id: viewer.id })).toMatchObject({
      reposts: reposters.length,
      reposted: reposters.includes(viewer.id),
    });
  }
}

test('pages agree with a trivial model, whatever people do', async () => {
  const seed = freshSeed();
  console.log(`seed ${seed}`);
  const random = randomFrom(seed);
  const state: State = { random, people: await world.people('person', PEOPLE), posts: [], reference: new Reference() };
  for (let step = 1; step <= STEPS; step++) {
    await random.pick(ACTIONS)(state);
    if (step % 150 === 0) await compare(state);
  }
  expect(state.posts.length, 'posts that were compared').toBeGreaterThan(0);
});
