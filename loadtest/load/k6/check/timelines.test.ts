// The check on the timelines: a correct storm of posts, reposts, undos and follows through two app servers' clients passes; each
// kind of lie, in the ledger or in the store, is found and named.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Claret, Description } from '@claret/client';
import { catchUp } from '../../../../apps/retwis/server/actions/catch-up.ts';
import { follow } from '../../../../apps/retwis/server/actions/follow.ts';
import { newUser } from '../../../../apps/retwis/server/actions/new-user.ts';
import { post, postOnce } from '../../../../apps/retwis/server/actions/post.ts';
import { repost, undoRepost } from '../../../../apps/retwis/server/actions/repost.ts';
import { key, repostEntry, scoreAt } from '../../../../apps/retwis/server/model.ts';
import { newRequestKey } from '../../../../ui/site/api/requestKeys.ts';
import type { LedgerLine, StormData, StormPerson } from '../storm.ts';
import { check, lookBefore, type Before } from './check.ts';
import { postId } from './request-names.ts';
import { acceptedOf, act, NO_STORM, startStage, type Stage } from './testing.ts';

const PEOPLE = 20;
const WORKERS = 8;
const EACH = 40;

let stage: Stage;
let data: StormData;
let before: Before;
/** of each person, the name */
let people: StormPerson[];
let celebrity: StormPerson;

async function join(username: string): Promise<StormPerson> {
  const joined = await newUser(stage.claret, { username, credentials: null, joined_at_ms: Date.now() });
  if (joined.refused !== null) throw new Error(joined.refused);
  return { id: joined.user_id, name: username, token: '' };
}

async function prepare(): Promise<void> {
  const { claret, random } = stage;
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => join(`person${i}`)));
  celebrity = people[0]!;
  const hot = await post(claret, { author: author(celebrity), text: 'Which colour?', posted_at_ms: Date.now() });
  const followers = people.slice(PEOPLE / 2);
  for (const { id } of followers) await follow(claret, { follower_id: id, followed_id: celebrity.id });
  for (let i = 0; i < 3 * PEOPLE; i++) {
    const [follower, followed] = [random.pick(people), random.pick(people.slice(1))];
    await follow(claret, { follower_id: follower.id, followed_id: followed.id });
  }
  // The first two people reposted it before the storm.
  for (const { id } of people.slice(1, 3))
    await repost(claret, { user_id: id, post_id: hot.post_id, reposted_at_ms: Date.now(), reposts_seen: 0 });
  data = {
    ...NO_STORM,
    scenario: 'steady-retwis',
    timeline_people: people,
    hot_post: { id: hot.post_id, author: celebrity.name },
    followers_of_hot: await claret.transact('Look', [claret.on.set(key.followers(celebrity.id)).members(1_000)]).then(([all]) => all),
  };
}

const author = ({ id, name }: StormPerson) => ({ id, username: name });

async function storm(): Promise<void> {
  const { random } = stage;
  const posts = [data.hot_post!.id];
  const steps: ((claret: Claret) => Promise<void>)[] = [
    async (claret) => {
      const who = random.pick(people);
      const facts = { text: 'hello', key: newRequestKey(Date.now()) };
      const request = { name: postId(who.id, facts), once: { id: claret.transactionId() }, expired: null };
      const write = () =>
        act(stage, 'post', who.id, facts, async () => {
          await postOnce(claret, { author: author(who), text: facts.text, posted_at_ms: Date.now() }, request);
          posts.push(request.name);
          return { facts: { post_id: request.name } };
        });
      await write();
      // A person without a response tries again.
      if (stage.ledger.at(-1)![3] !== 'accepted') await write();
    },
    async (claret) => {
      const [{ id }, post_id] = [random.pick(people), random.pick(posts.slice(-4))];
      await act(stage, 'repost', id, { post: post_id }, () =>
        repost(claret, { user_id: id, post_id, reposted_at_ms: Date.now(), reposts_seen: 0 }),
      );
    },
    async (claret) => {
      const [{ id }, post_id] = [random.pick(people), random.pick(posts.slice(-4))];
      await act(stage, 'unrepost', id, { post: post_id }, () => undoRepost(claret, { user_id: id, post_id }));
    },
    async (claret) => {
      const [follower, followed] = [random.pick(people), random.pick(people)];
      const input = { follower_id: follower.id, followed_id: followed.id };
      await act(stage, 'follow', follower.id, { who: followed.name }, async () => {
        const outcome = await follow(claret, input);
        if (outcome.refused === null) await catchUp(claret, input);
        return outcome;
      });
    },
  ];
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let i = 0; i < EACH; i++) await random.pick(steps)(worker % 2 === 0 ? stage.claret : stage.other);
    }),
  );
}

beforeAll(async () => {
  stage = await startStage();
  await prepare();
  before = await lookBefore(stage.claret, data);
  await storm();
});
afterAll(() => stage.stop());

const told = (ledger: readonly unknown[] = stage.ledger, alone = true) =>
  check(ledger, stage.claret, data, before, { alone, decided_after_ms: 0 });

/** Runs the operations, checks, and undoes them. */
async function lie(
  operations: Description<unknown>[],
  takenBack: Description<unknown>[],
  ledger?: readonly LedgerLine[],
): Promise<string[]> {
  await stage.claret.transact('Lie', operations);
  const found = await told(ledger);
  await stage.claret.transact('Truth', takenBack);
  return found;
}

const scoreOf = async (record: string, item: string): Promise<number> =>
  Number((await stage.claret.transact('Look', [stage.claret.on.scoredSet(record).score(item)]))[0]);
const followersOf = async (id: string): Promise<string[]> =>
  (await stage.claret.transact('Look', [stage.claret.on.set(key.followers(id)).members(1_000)]))[0];
const followersBefore = async (id: string): Promise<string[]> => {
  const followers = await followersOf(id);
  return followers.filter((follower) => before.following.get(follower)!.has(id));
};

/** An acknowledged post of an author who had followers before the storm. */
async function onePost(): Promise<{ author_id: string; post_id: string; followers: string[] }> {
  for (const [, , , , author_id, { post_id }] of acceptedOf(stage.ledger, 'post') as (LedgerLine & ['post', ...unknown[]])[]) {
    const followers = await followersBefore(author_id);
    if (followers.length > 0) return { author_id, post_id: post_id!, followers };
  }
  throw new Error('nobody with followers has posted: use another seed');
}

it('a correct storm passes, with the ledger as JSON and as parsed lines', async () => {
  expect(acceptedOf(stage.ledger, 'post').length).toBeGreaterThan(10);
  expect(acceptedOf(stage.ledger, 'repost').length).toBeGreaterThan(10);
  expect(await told()).toEqual([]);
  expect(await told(stage.ledger.map((line) => JSON.stringify(line)))).toEqual([]);
});

describe('a lie', () => {
  it('a post that is missing on one timeline', async () => {
    const { on } = stage.claret;
    const { author_id, post_id, followers } = await onePost();
    const record = key.timeline(followers[0]!);
    const score = await scoreOf(record, post_id);
    expect(await lie([on.scoredSet(record).remove(post_id)], [on.scoredSet(record).add(post_id, score)])).toEqual([
      `timelines: ${record}: expected ${post_id}, which ${author_id} put on the own page, found nothing`,
    ]);
  });

  it('a post with a wrong time on a timeline', async () => {
    const { on } = stage.claret;
    const { author_id, post_id, followers } = await onePost();
    const record = key.timeline(followers[0]!);
    const score = await scoreOf(record, post_id);
    expect(await lie([on.scoredSet(record).add(post_id, score - 7)], [on.scoredSet(record).add(post_id, score)])).toEqual([
      `timelines: ${record}: expected ${post_id} at ${-score}, as on the page of ${author_id}, found it at ${7 - score}`,
    ]);
  });

  it('an entry that is on no page, and one of a person who is not followed', async () => {
    const { on } = stage.claret;
    const { author_id, post_id } = await onePost();
    const stranger = people.find(({ id }) => id !== author_id)!;
    const followers = await followersOf(author_id);
    const aside = people.find(({ id }) => id !== author_id && !followers.includes(id))!;
    const score = await scoreOf(key.posts(author_id), post_id);
    const record = key.timeline(stranger.id);
    const ghost = repostEntry('nothing', people[3]!.id);
    expect(await lie([on.scoredSet(record).add(ghost, scoreAt(before.at_ms + 5))], [on.scoredSet(record).remove(ghost)])).toEqual([
      `timelines: ${record}: expected what stands on the page of one who is followed, found ${ghost}, which stands on no page`,
    ]);
    const other = key.timeline(aside.id);
    expect(await lie([on.scoredSet(other).add(post_id, score)], [on.scoredSet(other).remove(post_id)])).toEqual([
      `timelines: ${other}: expected what comes from those who are followed, found ${post_id} by ${author_id}, who is not`,
    ]);
  });

  it('an acknowledged post that is missing', async () => {
    const { on } = stage.claret;
    const { author_id, post_id } = await onePost();
    const page = key.posts(author_id);
    const score = await scoreOf(page, post_id);
    const found = await lie([on.scoredSet(page).remove(post_id)], [on.scoredSet(page).add(post_id, score)]);
    expect(found).toContain(`posts: ${page}: expected post ${post_id}, found nothing`);
    const forged = stage.ledger.map((line) =>
      line[0] === 'post' && line[5].post_id === post_id ? [...line.slice(0, 5), { ...line[5], post_id: 'other' }] : line,
    );
    expect(await told(forged)).toEqual(
      expect.arrayContaining([
        `posts: ${page}: expected post other, as acknowledged, found post ${post_id}`,
        `posts: ${page}: expected post other, found nothing`,
        `posts: ${key.post_info('other')}: expected a post of ${author_id}, found nothing`,
      ]),
    );
  });

  it('a post that is listed twice', async () => {
    const { on } = stage.claret;
    const { author_id, post_id } = await onePost();
    const page = key.posts(author_id);
    const score = await scoreOf(page, post_id);
    const lists = [page, key.timeline(author_id), ...(await followersOf(author_id)).map(key.timeline)];
    expect(
      await lie(
        lists.map((list) => on.scoredSet(list).add('again', score)),
        lists.map((list) => on.scoredSet(list).remove('again')),
      ),
    ).toEqual([`posts: ${page}: expected posts of the ledger, found again, which no request of the ledger has made`]);
  });

  it('a repost that is not counted, one that is counted but not on the page, one that nobody made', async () => {
    const { on } = stage.claret;
    const post_id = data.hot_post!.id;
    const reposts = on.set(key.post_reposts(post_id));
    const [kept] = await stage.claret.transact('Look', [reposts.members(1_000)]);
    const here = kept[0]!;
    const entry = repostEntry(post_id, here);
    const found = await lie([reposts.remove(here)], [reposts.add(here)]);
    // If the response to the reposter was lost, both outcomes are possible: then the contradiction shows on the page.
    expect(found).toEqual([expect.stringMatching(/^reposts: .* expected it with/)]);
    expect(found[0]).toContain(here);
    const score = await scoreOf(key.posts(here), entry);
    expect(await lie([on.scoredSet(key.posts(here)).remove(entry)], [on.scoredSet(key.posts(here)).add(entry, score)])).toEqual(
      expect.arrayContaining([expect.stringContaining(`reposts: ${key.posts(here)}: expected `)]),
    );
    const outsider = await join('outsider');
    const ghost = repostEntry(post_id, outsider.id);
    const page = on.scoredSet(key.posts(outsider.id));
    const now = scoreAt(Date.now());
    expect(await lie([reposts.add(outsider.id), page.add(ghost, now)], [reposts.remove(outsider.id), page.remove(ghost)])).toEqual([
      `reposts: ${key.post_reposts(post_id)}: expected who has reposted it by the ledger, found ${outsider.id} as well`,
    ]);
  });

  it('a repost that was acknowledged twice, and one that is not in the ledger', async () => {
    const line = acceptedOf(stage.ledger, 'repost').find(
      ([, , , , who, facts]) =>
        !stage.ledger.some(
          ([kind, , , outcome, id, other]) =>
            kind === 'unrepost' &&
            outcome !== 'shed' &&
            id === who &&
            (other as { post: string }).post === (facts as { post: string }).post,
        ),
    )!;
    const [, , , , who, facts] = line as LedgerLine & ['repost', ...unknown[]];
    const same = ([kind, , , , id, other]: LedgerLine) => kind === 'repost' && id === who && other.post === facts.post;
    expect(await told([...stage.ledger, line])).toEqual([
      `reposts: ${key.post_reposts(facts.post)}: expected reposts and undoings by ${who} in turn, found that more of one kind were acknowledged`,
    ]);
    const found = await told(stage.ledger.filter((one) => !same(one)));
    expect(found).toContain(
      `reposts: ${key.posts(who)}: expected reposts of the ledger, found ${repostEntry(facts.post, who)}, which is none`,
    );
  });

  it('a follow that is only on one list, a lost follower, an additional one', async () => {
    const { on } = stage.claret;
    const follower = data.followers_of_hot[0]!;
    const followers = on.set(key.followers(celebrity.id));
    const found = await lie([followers.remove(follower)], [followers.add(follower)]);
    expect(found).toContain(
      `follows: ${key.followers(celebrity.id)}: expected all ${data.followers_of_hot.length} of before the storm, found it without ${follower}`,
    );
    expect(found).toContain(
      `follows: ${key.following(follower)}: expected ${follower} on the lists of all who are followed, found none on that of ${celebrity.id}`,
    );
    const newcomer = await join('newcomer');
    expect(await lie([followers.add(newcomer.id)], [followers.remove(newcomer.id)])).toContain(
      `follows: ${key.followers(celebrity.id)}: expected who follows by the ledger, found ${newcomer.id} as well`,
    );
    const [, , , , who, { who: name }] = acceptedOf(stage.ledger, 'follow')[0] as LedgerLine & ['follow', ...unknown[]];
    const followed = people.find((person) => person.name === name)!;
    const list = on.set(key.following(who));
    expect(await lie([list.remove(followed.id)], [list.add(followed.id)])).toContain(
      `follows: ${key.following(who)}: expected ${followed.id} among it, found them not among it`,
    );
  });

  it('an acknowledged repost that is not counted, or not on the page', async () => {
    const { on } = stage.claret;
    const [, , , , who, { post: post_id }] = acceptedOf(stage.ledger, 'repost').find(
      ([, , , , id, facts]) =>
        !stage.ledger.some(
          ([kind, , , outcome, other, theirs]) =>
            kind === 'unrepost' && outcome !== 'shed' && other === id && theirs.post === (facts as { post: string }).post,
        ),
    ) as LedgerLine & ['repost', ...unknown[]];
    const [entry, reposts, page] = [repostEntry(post_id, who), on.set(key.post_reposts(post_id)), on.scoredSet(key.posts(who))];
    expect(await lie([reposts.remove(who)], [reposts.add(who)])).toEqual([
      `reposts: ${key.post_reposts(post_id)}: expected it with ${who}, as acknowledged, found them not among it`,
    ]);
    const score = await scoreOf(key.posts(who), entry);
    expect(await lie([page.remove(entry)], [page.add(entry, score)])).toContain(
      `reposts: ${key.posts(who)}: expected it with ${entry}, found it not there`,
    );
  });

  it('a follow that is acknowledged twice, one of an unknown person, one that is missing', async () => {
    const { on } = stage.claret;
    const line = acceptedOf(stage.ledger, 'follow')[0] as LedgerLine & ['follow', ...unknown[]];
    const [, , , , who, { who: name }] = line;
    const followed = people.find((person) => person.name === name)!.id;
    expect(await told([...stage.ledger, line])).toEqual([
      `follows: ${key.following(who)}: expected ${followed} once, found that it began 2 times`,
    ]);
    expect(await told([...stage.ledger, ['follow', Date.now(), 1, 'accepted', who, { who: 'nobody' }]])).toEqual([
      `follows: ${key.username('nobody')}: expected who is acknowledged to be followed, found nobody`,
    ]);
    const followers = on.set(key.followers(followed));
    expect(await lie([followers.remove(who)], [followers.add(who)])).toContain(
      `follows: ${key.followers(followed)}: expected ${who} among it, found them not among it`,
    );
    const [earlier] = [...before.following].find(([, all]) => all.size > 0)!;
    const [lost] = [...before.following.get(earlier)!];
    const list = on.set(key.following(earlier));
    expect(await lie([list.remove(lost!)], [list.add(lost!)])).toContain(
      `follows: ${key.following(earlier)}: expected all of before the storm, found it without ${lost}`,
    );
  });

  it('a registered person without the name, two people with it, a profile with another name', async () => {
    const line = (name: string, id = ''): LedgerLine => ['register', Date.now(), 1, 'accepted', id, { name }];
    expect(await told([...stage.ledger, line('nobody_at_all')])).toEqual([
      `people: ${key.username('nobody_at_all')}: expected the person who registered, found nobody`,
    ]);
    const { id, name } = celebrity;
    expect(await told([...stage.ledger, line(name, id)])).toEqual([]);
    expect(await told([...stage.ledger, line(name, id), line(name, id)])).toEqual([
      `people: ${key.username(name)}: expected one person, found that 2 were told to have it`,
    ]);
    expect(await told([...stage.ledger, line(name, 'another')])).toEqual([`people: ${key.username(name)}: expected another, found ${id}`]);
    const profile = stage.claret.on.dict(key.profile(id));
    expect(await lie([profile.set({ username: 'other' })], [profile.set({ username: name })], [...stage.ledger, line(name, id)])).toEqual([
      `people: ${key.profile(id)}: expected ${name}, found other`,
    ]);
  });

  it('after all lies the restored data passes', async () => {
    expect(await told()).toEqual([]);
  });
});
