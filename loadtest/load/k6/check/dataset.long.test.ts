// The check on the sites' data sets, before any storm: each site's data is consistent.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { generate as generateTimelines } from '../../../../apps/retwis/server/data/generate.ts';
import { Store as TimelinesStore } from '../../../../apps/retwis/server/data/store.ts';
import { key as timelines } from '../../../../apps/retwis/server/model.ts';
import { CATEGORIES } from '../../../../apps/rubis/server/data/categories.ts';
import { generate as generateAuctions } from '../../../../apps/rubis/server/data/generate.ts';
import { REGIONS } from '../../../../apps/rubis/server/data/regions.ts';
import { storeDataSet } from '../../../../apps/rubis/server/data/store.ts';
import { key as auctions } from '../../../../apps/rubis/server/model.ts';
import type { StormData, StormPerson } from '../storm.ts';
import { check, lookBefore } from './check.ts';
import { NO_STORM, startStage, type Stage } from './testing.ts';

const SCALE = 7;
const persons = (users: readonly { id: string }[]): StormPerson[] => users.map(({ id }) => ({ id, name: id, token: '' }));

let stage: Stage;
beforeAll(async () => void (stage = await startStage()));
afterAll(() => stage.stop());

it('passes on the auctions, and finds a listed auction without a seller', async () => {
  const { claret, random } = stage;
  const set = generateAuctions('small', random.below(1_000));
  await storeDataSet(claret, set, { now_ms: Date.now(), demo_credentials: null });
  const data: StormData = {
    ...NO_STORM,
    scenario: 'steady-rubis',
    auction_people: persons(set.users),
    items: set.items.map(({ id }) => id),
    categories: CATEGORIES.map(({ id }) => id),
    regions: REGIONS.map(({ id }) => id),
  };
  const before = await lookBefore(claret, data);
  expect(before.bid_counts.size).toBe(set.items.length);
  expect(await check([], claret, data, before)).toEqual([]);

  const ended = set.items.find(({ closes_in_ms }) => closes_in_ms < 0)!;
  const wrong = `open:category:${CATEGORIES[0]!.id}:region:${REGIONS[0]!.id}`;
  await claret.transact('Lie', [claret.on.scoredSet(auctions.open_all).add(ended.id, 1), claret.on.scoredSet(wrong).add('nothing', 1)]);
  expect(await check([], claret, data, before)).toEqual([
    `indexes: ${auctions.open_all}: expected no ${ended.id}, which is closed, found it at 1`,
    `indexes: ${wrong}: expected auctions, found nothing, which is none`,
  ]);
});

it('passes on the timelines, and finds a follower on only one list', async () => {
  const { claret, random } = stage;
  const set = generateTimelines(SCALE, random.below(1_000));
  await new TimelinesStore(claret, set, { now_ms: Date.now(), demo_credentials: null }).write();
  const { people } = set.society;
  const data: StormData = { ...NO_STORM, scenario: 'steady-retwis', timeline_people: persons(people) };
  const before = await lookBefore(claret, data);
  expect(before.reposted.size).toBeGreaterThan(set.reposts.length);
  expect(await check([], claret, data, before)).toEqual([]);

  const [follower, followed] = [people[0]!.id, 'a-stranger'];
  await claret.transact('Lie', [claret.on.set(timelines.following(follower)).add(followed)]);
  expect(await check([], claret, data, before)).toEqual([
    `follows: ${timelines.following(follower)}: expected whom the ledger knows, found ${followed} as well`,
    `follows: ${timelines.following(follower)}: expected ${follower} on the lists of all who are followed, found none on that of ${followed}`,
  ]);
});
