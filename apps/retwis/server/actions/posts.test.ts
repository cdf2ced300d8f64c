// NewUser, Follow and CatchUp, Post, Repost.
import { RequestProblem } from '@claret/site/problem.ts';
import type { Claret } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { key, repostEntry } from '../model.ts';
import { startWorld, type World } from '../testing/world.ts';
import { catchUp, newestSeen } from './catch-up.ts';
import { follow } from './follow.ts';
import { newUser } from './new-user.ts';
import { post, postOnce } from './post.ts';
import { repost } from './repost.ts';
import { viewTimeline } from './timeline.ts';
import { viewPost } from './view-post.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const entriesOf = async (user: UserRef) => (await viewTimeline(world.claret, { user_id: user.id, after: null })).entries;
const texts = async (user: UserRef) => (await entriesOf(user)).map((entry) => entry.post.text);
/** All entries of the list, whether a page shows them or not. */
const listed = async (record: string) => {
  const [all] = await world.claret.transact('Look', [world.claret.on.scoredSet(record).range(0, -1)]);
  return all.map(([entry_id]) => entry_id);
};

describe('NewUser', () => {
  test('gives a username to one of several people who want it at once', async () => {
    const wanting = Array.from({ length: 10 }, (_, i) =>
      newUser(world.claret, { username: i % 2 === 0 ? 'Wanted' : 'wanted', credentials: null, joined_at_ms: 1 }),
    );
    const outcomes = (await Promise.all(wanting)).map(({ refused }) => refused);
    expect(outcomes.filter((refused) => refused === null)).toHaveLength(1);
    expect(outcomes.filter((refused) => refused === 'username_taken')).toHaveLength(9);
  });
});

describe('Follow', () => {
  test('delivers new posts, newest first, until unfollowing', async () => {
    const [ann, ben] = [await world.person('ann'), await world.person('ben')];
    await world.writes(ben, 'before', 1);
    await follow(world.claret, { follower_id: ann.id, followed_id: ben.id });
    await world.writes(ben, 'one', 2);
    await world.writes(ben, 'two', 3);
    expect(await texts(ann)).toEqual(['two', 'one']);
    expect(await texts(ben)).toEqual(['two', 'one', 'before']);
    expect(await world.unfollows(ann, ben)).toEqual({ refused: null });
    await world.writes(ben, 'three', 4);
    expect(await texts(ann)).toEqual(['two', 'one']);
  });

  test('is refused for oneself, for unknown people, and twice; unfollowing is refused without following', async () => {
    const [cat, dan] = [await world.person('cat'), await world.person('dan')];
    expect(await world.follows(cat, cat)).toEqual({ refused: 'own_account' });
    expect(await world.follows(cat, { id: 'nobody', username: '' })).toEqual({ refused: 'unknown_user' });
    const twice = await Promise.all([world.follows(cat, dan), world.follows(cat, dan)]);
    expect(twice.map(({ refused }) => refused).toSorted()).toEqual(['already_following', null]);
    expect(await world.unfollows(dan, cat)).toEqual({ refused: 'not_following' });
  });
});

describe('CatchUp', () => {
  test('adds the newest twenty posts and reposts at their times, and changes nothing when repeated', async () => {
    const [fay, guy, hal] = [await world.person('fay'), await world.person('guy'), await world.person('hal')];
    const theirs = await world.writes(hal, 'of another', 1);
    for (let i = 1; i <= 21; i++) await world.writes(guy, `number ${i}`, i);
    await world.reposts(guy, theirs, 30);
    await follow(world.claret, { follower_id: fay.id, followed_id: guy.id });
    expect(await catchUp(world.claret, { follower_id: fay.id, followed_id: guy.id })).toBe(20);
    expect(await catchUp(world.claret, { follower_id: fay.id, followed_id: guy.id })).toBe(20);
    expect(await texts(fay)).toEqual(['of another', ...Array.from({ length: 19 }, (_, i) => `number ${21 - i}`)]);
    expect((await entriesOf(fay))[0]).toMatchObject({ id: repostEntry(theirs, guy.id), at_ms: 30, reposter_id: guy.id });
  });

  test('adds what is there, whatever was read before, and needs no second attempt if that was right', async () => {
    const [kit, lou] = [await world.person('kit'), await world.person('lou')];
    const before = await newestSeen(world.claret, lou.id);
    for (let i = 1; i <= 3; i++) await world.writes(lou, `word ${i}`, i);
    const pair = { follower_id: kit.id, followed_id: lou.id };
    await follow(world.claret, pair);
    expect(await catchUp(world.claret, { ...pair, seen: before })).toBe(3);
    expect(await texts(kit)).toEqual(['word 3', 'word 2', 'word 1']);
    const { retries } = world.claret.counters;
    expect(await catchUp(world.claret, { ...pair, seen: await newestSeen(world.claret, lou.id) })).toBe(3);
    expect(world.claret.counters.retries).toBe(retries);
  });

  test('adds nothing after the follower has unfollowed', async () => {
    const [ida, jim] = [await world.person('ida'), await world.person('jim')];
    await world.writes(jim, 'hello');
    expect(await catchUp(world.claret, { follower_id: ida.id, followed_id: jim.id })).toBe(0);
    expect(await texts(ida)).toEqual([]);
  });
});

describe('Post', () => {
  test('reaches all followers, also if they are more than one read of a Set returns', async () => {
    const star = await world.person('star');
    const { claret } = world;
    const crowd = Array.from({ length: 2_300 }, (_, i) => `fan${i}`);
    await claret.transact(
      'Crowd',
      crowd.map((fan) => claret.on.set(key.followers(star.id)).add(fan)),
    );
    const { post_id, reached } = await post(claret, { author: star, text: 'hello', posted_at_ms: 7 });
    expect(reached).toBe(crowd.length);
    const scores = await claret.transact(
      'Check',
      crowd.map((fan) => claret.on.scoredSet(key.timeline(fan)).score(post_id)),
    );
    expect(new Set(scores.map(Number))).toEqual(new Set([-7]));
  });

  const request = (key: string, expired: RequestProblem | null = null, id = world.claret.transactionId()) => ({
    name: `name-of-${key}`,
    once: { id },
    expired,
  });
  const EXPIRED = new RequestProblem('key_expired');

  test('of one request is made once, however often and through whichever app servers it is sent', async () => {
    const [kim, fan] = [await world.person('kim'), await world.person('kimfan')];
    await world.follows(fan, kim);
    const once = request('once');
    const send = (claret: Claret, posted_at_ms = Date.now()) => postOnce(claret, { author: kim, text: 'once', posted_at_ms }, once);
    const sent = await Promise.all(Array.from({ length: 12 }, (_, i) => send(i % 2 === 0 ? world.claret : world.other, 100 + i)));
    expect(sent[0]).toMatchObject({ refused: null, post_id: 'name-of-once', reached: 1 });
    for (const answer of [...sent, await send(world.other)]) expect(answer).toEqual(sent[0]);
    expect(await listed(key.posts(kim.id))).toEqual(['name-of-once']);
    expect(await texts(fan)).toEqual(['once']);
  });

  test('whose key has expired is told by its own record, and one that was not made can be made no more', async () => {
    const lea = await world.person('late_lea');
    const input = { author: lea, text: 'late', posted_at_ms: 77 };
    await postOnce(world.claret, input, request('made'));
    const again = { ...input, posted_at_ms: Date.now() };
    expect(await postOnce(world.other, again, request('made', EXPIRED))).toMatchObject({ post_id: 'name-of-made', posted_at_ms: 77 });
    const id = world.claret.transactionId();
    expect(await postOnce(world.claret, again, request('lost', EXPIRED, id))).toEqual({ refused: 'key_expired' });
    expect(await postOnce(world.other, again, request('lost', null, id))).toEqual({ refused: 'key_expired' });
    for (let round = 0; round < 20; round++) {
      const race = world.claret.transactionId();
      const told = await Promise.all([
        postOnce(world.claret, again, request(`race-${round}`, null, race)),
        postOnce(world.other, again, request(`race-${round}`, EXPIRED, race)),
      ]);
      expect(told[0]).toEqual(told[1]);
      expect((await listed(key.posts(lea.id))).includes(`name-of-race-${round}`)).toBe(told[0].refused === null);
    }
  });
});

describe('Repost', () => {
  test('by many people at once is counted for each, delivers the post, and can be undone', async () => {
    const [eve, fan] = [await world.person('eve'), await world.person('fan')];
    const people = await world.people('reposter', 12);
    await world.follows(fan, people[0]!);
    const post_id = await world.writes(eve, 'pass it on');
    const outcomes = await Promise.all(people.map((person) => world.reposts(person, post_id)));
    expect(outcomes.every(({ refused }) => refused === null)).toBe(true);
    expect(await viewPost(world.claret, { post_id, viewer_id: people[3]!.id })).toMatchObject({ reposts: 12, reposted: true, author: eve });
    expect(await viewPost(world.claret, { post_id, viewer_id: null })).toMatchObject({ reposts: 12, reposted: false });
    expect(await texts(fan)).toEqual(['pass it on']);
    expect(await world.undoes(people[0]!, post_id)).toEqual({ refused: null, reached: 1 });
    expect(await viewPost(world.claret, { post_id, viewer_id: people[0]!.id })).toMatchObject({ reposts: 11, reposted: false });
    expect(await texts(fan)).toEqual([]);
  });

  test('undone leaves the post itself, and another person’s repost of it, in place', async () => {
    const [lea, one, two, fan] = [
      await world.person('lea'),
      await world.person('one'),
      await world.person('two'),
      await world.person('lfan'),
    ];
    for (const followed of [lea, one, two]) await world.follows(fan, followed);
    const post_id = await world.writes(lea, 'twice', 10);
    await Promise.all([world.reposts(one, post_id, 20), world.reposts(two, post_id, 30)]);
    expect(await listed(key.timeline(fan.id))).toEqual([repostEntry(post_id, two.id), repostEntry(post_id, one.id), post_id]);
    expect(await entriesOf(fan)).toMatchObject([{ reposter_id: two.id, at_ms: 30 }]);
    await world.undoes(two, post_id);
    expect(await listed(key.timeline(fan.id))).toEqual([repostEntry(post_id, one.id), post_id]);
    expect(await entriesOf(fan)).toMatchObject([{ reposter_id: one.id, at_ms: 20, post: { reposts: 1 } }]);
    await world.undoes(one, post_id);
    expect(await entriesOf(fan)).toMatchObject([{ id: post_id, reposter_id: null, at_ms: 10, post: { reposts: 0 } }]);
    expect(await listed(key.posts(two.id))).toEqual([]);
  });

  test('is refused twice and for an unknown post; undoing is refused without a repost', async () => {
    const gus = await world.person('gus');
    const post_id = await world.writes(gus, 'mine');
    expect(await world.reposts(gus, 'nothing')).toEqual({ refused: 'unknown_post' });
    const passOn = () => repost(world.claret, { user_id: gus.id, post_id, reposted_at_ms: 5, reposts_seen: 0 });
    const twice = await Promise.all([passOn(), passOn()]);
    expect(twice.map(({ refused }) => refused).toSorted()).toEqual(['already_reposted', null]);
    expect(await world.undoes(gus, 'nothing')).toEqual({ refused: 'not_reposted' });
  });
});
