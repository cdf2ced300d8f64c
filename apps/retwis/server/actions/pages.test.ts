// Pages: timelines, a person's posts, the latest posts, trending posts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LIMITS, type UserRef } from '../api.ts';
import { entryPosition, parseEntryPosition } from '../cursor.ts';
import { HALF_LIFE_MS, NEWEST_MAX, key, repostEntry, scoreAt, type EntryKey } from '../model.ts';
import { startWorld, type World } from '../testing/world.ts';
import { trimTimeline } from './timeline.ts';
import { Usernames } from './usernames.ts';
import { latestPage, postsPage, taggedPage, timelinePage, trending, type Entries } from './view-page.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;

let world: World;
const usernames = new Usernames();
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const timeline = (user: UserRef, after: EntryKey | null = null) => timelinePage(world.claret, usernames, { user_id: user.id, after });
const idsOf = ({ entries }: Entries) => entries.map(({ id }) => id);
/** Passes the cursor through its text form, as a browser does. */
const behind = ({ next }: Entries): EntryKey => parseEntryPosition(entryPosition(next!))!;
const written = async (author: UserRef, count: number, first_ms: number) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await world.writes(author, `post ${i}`, first_ms + 2 * Math.floor(i / 2)));
  return ids;
};

describe('a timeline', () => {
  test('has pages that do not move while others post, repost and undo', async () => {
    const [ann, ben, cat] = [await world.person('ann'), await world.person('ben'), await world.person('cat')];
    await world.follows(ann, ben);
    await world.follows(ann, cat);
    // Two posts at each time, so that ties are ordered too.
    const ids = await written(ben, 50, 1_000);
    const first = await timeline(ann);
    expect(idsOf(first)).toHaveLength(LIMITS.page_size);
    await written(ben, 5, 2_000);
    await world.reposts(cat, ids[0]!, 2_100);
    const second = await timeline(ann, behind(first));
    await world.undoes(cat, ids[0]!);
    const third = await timeline(ann, behind(second));
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)].toSorted()).toEqual(ids.toSorted());
    const times = [first, second, third].flatMap(({ entries }) => entries.map(({ at_ms }) => at_ms));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(third.next).toBeNull();
  });

  test('continues at the same position when the last entry of a page has been removed', async () => {
    const [dan, eve, fay] = [await world.person('dan'), await world.person('eve'), await world.person('fay')];
    await world.follows(dan, eve);
    await world.follows(dan, fay);
    const ids = await written(eve, 29, 1_000);
    await world.reposts(fay, ids[0]!, 1_009);
    const first = await timeline(dan);
    const last = first.entries.at(-1)!;
    expect(last.id).toBe(repostEntry(ids[0]!, fay.id));
    await world.undoes(fay, ids[0]!);
    const second = await timeline(dan, behind(first));
    expect([...idsOf(first).slice(0, -1), ...idsOf(second)].toSorted()).toEqual(ids.toSorted());
  });

  test('shows a post once on a page, at its latest entry, and names the reposter', async () => {
    const [gus, hal, ida] = [await world.person('gus'), await world.person('hal'), await world.person('ida')];
    for (const followed of [hal, ida]) await world.follows(gus, followed);
    const post_id = await world.writes(hal, 'again', 10);
    const other = await world.writes(hal, 'other', 15);
    await world.reposts(ida, post_id, 20);
    expect((await timeline(gus)).entries).toMatchObject([
      { id: repostEntry(post_id, ida.id), reposted_by: ida, at_ms: 20, post: { author: hal, reposts: 1, reposted: false } },
      { id: other, reposted_by: null, at_ms: 15 },
    ]);
    expect((await timeline(ida)).entries).toMatchObject([{ reposted_by: ida, post: { reposted: true } }]);
  });

  test('is trimmed by its reader once it is twice as long as its limit', async () => {
    const jim = await world.person('jim');
    const { claret } = world;
    const fill = (from: number, to: number) =>
      claret.transact(
        'Fill',
        Array.from({ length: to - from }, (_, i) => claret.on.scoredSet(key.timeline(jim.id)).add(`p${from + i}`, scoreAt(from + i))),
      );
    const left = async () => (await claret.transact('Look', [claret.on.scoredSet(key.timeline(jim.id)).range(0, -1)]))[0].map(([id]) => id);
    await fill(0, 20);
    expect(await trimTimeline(claret, { user_id: jim.id, max: 10 })).toBe(0);
    expect(await left()).toHaveLength(20);
    await fill(20, 21);
    expect(await trimTimeline(claret, { user_id: jim.id, max: 10 })).toBe(11);
    expect(await left()).toEqual(Array.from({ length: 10 }, (_, i) => `p${20 - i}`));
    // The page itself trims with the site's limit.
    await fill(21, 1_700);
    await timeline(jim);
    const kept = await left();
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([800, 'p1699', 'p900']);
  });
});

describe("a person's posts", () => {
  test('are those that they posted and reposted, with the viewer’s own repost marked', async () => {
    const [kim, lea] = [await world.person('kim'), await world.person('lea')];
    const ids = await written(kim, 25, 1_000);
    const theirs = await world.writes(lea, 'of lea', 500);
    await world.reposts(kim, theirs, 3_000);
    const input = { user: kim, viewer_id: lea.id };
    const first = await postsPage(world.claret, { ...input, after: null });
    const second = await postsPage(world.claret, { ...input, after: behind(first) });
    expect(first.entries[0]).toMatchObject({ reposted_by: kim, post: { author: lea, reposted: false } });
    expect([...idsOf(first), ...idsOf(second)].toSorted()).toEqual([repostEntry(theirs, kim.id), ...ids].toSorted());
    const nobody = await postsPage(world.claret, { user: { id: 'nobody', username: 'nobody' }, viewer_id: null, after: null });
    expect(nobody).toEqual({ entries: [], next: null });
  });
});

describe('the latest posts', () => {
  test('are the newest of all people, in pages that do not move', async () => {
    const people = await world.people('many', 7);
    const ids = await Promise.all(
      Array.from({ length: NEWEST_MAX + 20 }, (_, i) =>
        world.writes(people[i % people.length]!, `latest ${i}`, NOON_MS + Math.floor(i / 3)),
      ),
    );
    const seen: string[] = [];
    let page = await latestPage(world.claret, { viewer_id: null, after: null });
    seen.push(...idsOf(page));
    while (page.next !== null) {
      page = await latestPage(world.claret, { viewer_id: null, after: behind(page) });
      seen.push(...idsOf(page));
    }
    expect(seen).toHaveLength(NEWEST_MAX);
    // The order of ids decides which of the three at the oldest remaining time is included.
    expect(seen.filter((id) => ids.indexOf(id) < 18)).toEqual([]);
    const begun = await latestPage(world.claret, { viewer_id: null, after: null });
    const next = await latestPage(world.claret, { viewer_id: null, after: behind(begun) });
    const news = await world.writes(people[0]!, 'news', NOON_MS + 1_000);
    expect(idsOf(await latestPage(world.claret, { viewer_id: null, after: behind(begun) }))).toEqual(idsOf(next));
    expect(idsOf(await latestPage(world.claret, { viewer_id: null, after: null }))[0]).toBe(news);
  });
});

describe('posts with a hashtag', () => {
  test('are those that have it, newest first, whatever its case', async () => {
    const author = await world.person('tagger');
    const tagged = (tag: string) => taggedPage(world.claret, tag, { viewer_id: null, after: null });
    const soup = await world.writes(author, 'Today: #Soup and #bread', 10);
    await world.writes(author, 'No soup today', 20);
    const more = await world.writes(author, 'More #soup, #soup!', 30);
    expect(idsOf(await tagged('soup'))).toEqual([more, soup]);
    expect(idsOf(await tagged('bread'))).toEqual([soup]);
    expect(idsOf(await tagged('salad'))).toEqual([]);
  });
});

describe('trending', () => {
  test('is decided by reposts in relation to age, with present counts', async () => {
    const people = await world.people('trend', 9);
    const written = async (text: string, hours_ago: number, reposts: number) => {
      const post_id = await world.writes(people[0]!, text, NOON_MS - hours_ago * HOUR_MS);
      for (const person of people.slice(0, reposts)) await world.reposts(person, post_id, NOON_MS);
      return post_id;
    };
    expect(HALF_LIFE_MS).toBe(6 * HOUR_MS);
    await written('old and famous', 17, 8);
    await written('older and famous', 19, 8);
    await written('new', 0, 1);
    const undone = await written('undone', 0, 9);
    await written('unnoticed', 0, 0);
    const read = async () =>
      (await trending(world.claret, { viewer_id: people[1]!.id }))
        .filter(({ author }) => author.id === people[0]!.id) // the posts of other tests are decades older
        .map(({ text, reposts }) => [text, reposts]);
    expect(await read()).toEqual([
      ['undone', 9],
      ['old and famous', 8],
      ['new', 1],
      ['older and famous', 8],
    ]);
    for (const person of people.slice(0, 9)) await world.undoes(person, undone);
    expect(await read()).toEqual([
      ['old and famous', 8],
      ['new', 1],
      ['older and famous', 8],
    ]);
  });
});
