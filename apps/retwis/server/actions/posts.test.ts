import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';
import { startWorld, type World } from '../testing/world.ts';
import { follow, unfollow } from './follow.ts';
import { newUser } from './new-user.ts';
import { post } from './post.ts';
import { repost, undoRepost } from './repost.ts';
import { viewTimeline } from './timeline.ts';
import { viewPost } from './view-post.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const texts = async (user: UserRef) => 
  (await viewTimeline(world.claret, { user_id: user.id, after: null })).entries.map(({ post }) => post.text);
const write = (author: UserRef, text: string, posted_at_ms = Date.now()) => post(world.claret, { author, text, posted_at_ms });
const follows = (follower: UserRef, followed: UserRef) => follow(world.claret, { follower_id: follower.id, followed_id: followed.id });
const passOn = (user: UserRef, post_id: string) =>
  repost(world.claret, { user_id: user.id, post_id, reposted_at_ms: Date.now(), reposts_seen: 0 });

describe('NewUser', () => {
  test('gives a username to one of those who want it at once', async () => {
    const wanting = Array.from({ length: 10 }, (_, i) =>
      newUser(world.claret, { username: i % 2 === 0 ? 'Wanted' : 'wanted', credentials: null, joined_at_ms: 1 }));
    const outcomes = (await Promise.all(wanting)).map(({ refused }) => refused);
    expect(outcomes.filter((refused) => refused === null)).toHaveLength(1);
    expect(outcomes.filter((refused) => refused === 'username_taken')).toHaveLength(9);
  });
});

describe('Follow', () => {
  test('brings new posts, newest first, and unfollowing ends that', async () => {
    const [ann, ben] = [await world.person('ann'), await world.person('ben')];
    await write(ben, 'before', 1);
    await follows(ann, ben);
    await write(ben, 'one', 2);
    await write(ben, 'two', 3);
    expect(await texts(ann)).toEqual(['two', 'one']);
    expect(await texts(ben)).toEqual(['two', 'one', 'before']);
    expect(await unfollow(world.claret, { follower_id: ann.id, followed_id: ben.id })).toEqual({ refused: null });
    await write(ben, 'three', 4);
    expect(await texts(ann)).toEqual(['two', 'one']);
  });

  test('is refused for oneself, for nobody, and twice; unfollowing where one does not follow', async () => {
    const [cat, dan] = [await world.person('cat'), await world.person('dan')];
    expect(await follows(cat, cat)).toEqual({ refused: 'own_account' });
    expect(await follows(cat, { id: 'nobody', username: '' })).toEqual({ refused: 'unknown_user' });
    const twice = await Promise.all([follows(cat, dan), follows(cat, dan)]);
    expect(twice.map(({ refused }) => refused).toSorted()).toEqual(['already_following', null]);
    expect(await unfollow(world.claret, { follower_id: dan.id, followed_id: cat.id })).toEqual({ refused: 'not_following' });
  });
});

describe('Post', () => {
  test('reaches every one of more followers than one read of a Set gives', async () => {
    const star = await world.person('star');
    const { claret } = world;
    const crowd = Array.from({ length: 2_300 }, (_, i) => `fan${i}`);
    await claret.transact('Crowd', crowd.map((fan) => claret.on.set(key.followers(star.id)).add(fan)));
    const { post_id, reached } = await write(star, 'hello');
    expect(reached).toBe(crowd.length);
    const sizes = await claret.transact('Check', crowd.map((fan) => claret.on.scoredSet(key.timeline(fan)).score(post_id)));
    expect(sizes.every((score) => score !== null)).toBe(true);
  });
});

describe('Repost', () => {
  test('by many at once is counted for each, passes the post on, and can be undone', async () => {
    const [eve, fan] = [await world.person('eve'), await world.person('fan')];
    const people = await Promise.all(Array.from({ length: 12 }, (_, i) => world.person(`reposter${i}`)));
    await follows(fan, people[0]!);
    const { post_id } = await write(eve, 'pass it on');
    const outcomes = await Promise.all(people.map((person) => passOn(person, post_id)));
    expect(outcomes.every(({ refused }) => refused === null)).toBe(true);
    expect(await viewPost(world.claret, { post_id, viewer_id: people[3]!.id })).toMatchObject({ reposts: 12, reposted: true, author: eve });
    expect(await texts(fan)).toEqual(['pass it on']);
    expect(await undoRepost(world.claret, { user_id: people[0]!.id, post_id })).toEqual({ refused: null, reached: 1 });
    expect(await viewPost(world.claret, { post_id, viewer_id: people[0]!.id })).toMatchObject({ reposts: 11, reposted: false });
    expect(await texts(fan)).toEqual([]);
  });

  test('is refused twice and for a post that is not there; undoing where there is none', async () => {
    const gus = await world.person('gus');
    const { post_id } = await write(gus, 'mine');
    expect(await passOn(gus, 'nothing')).toEqual({ refused: 'unknown_post' });
    const twice = await Promise.all([passOn(gus, post_id), passOn(gus, post_id)]);
    expect(twice.map(({ refused }) => refused).toSorted()).toEqual(['already_reposted', null]);
    expect(await undoRepost(world.claret, { user_id: gus.id, post_id: 'nothing' })).toEqual({ refused: 'not_reposted' });
  });
});
