// The preparation of a storm: its people, the auctions and posts that they visit, and its start time. All are created by the sites'
// own actions.

import type { Claret } from '@claret/client';
import { findAccount } from '../../../../apps/retwis/server/actions/find-account.ts';
import { post } from '../../../../apps/retwis/server/actions/post.ts';
import type { UserRef as TimelinePerson } from '../../../../apps/retwis/server/api.ts';
import { key as timelineKey } from '../../../../apps/retwis/server/model.ts';
import { LIMITS } from '../../../../apps/rubis/server/api.ts';
import { openAuction } from '../../../../apps/rubis/server/actions/open-auction.ts';
import { CATEGORIES } from '../../../../apps/rubis/server/data/categories.ts';
import { REGIONS } from '../../../../apps/rubis/server/data/regions.ts';
import { key as auctionKey } from '../../../../apps/rubis/server/model.ts';
import { Problem } from '../../../../scripts/run/problem.js';
import { mapAtOnce } from '../../../kit/at-once.ts';
import { readAll } from '../../../kit/checking.ts';
import { CLOSE_SHARE, SCENARIOS, type StormData } from '../storm.ts';
import type { Options } from './options.ts';
import { auctionPeople, logInToAuctions, logInToTimelines, timelinePeople, timelinePeopleOf } from '../../../workloads/people.ts';
import type { Target } from './target.ts';

const AUCTION_PEOPLE_MAX = 256;
const TIMELINE_PEOPLE_MAX = 512;
const ITEMS_MAX = 400;
const HOT_TITLE = 'Storm lantern, brass, signed';
const HOT_DESCRIPTION = 'The one from the film. Everybody seems to want it: this auction belongs to a load test.';
const HOT_START_PRICE_CENTS = 100;
const PIECES_AUCTIONS = 4;
const PIECES_PRICE_CENTS = 1_000;
const PIECES_DESCRIPTION = 'To light the lantern with. This auction belongs to a load test.';
/** Open beyond the storm: they end by being sold out, or not within it. */
const PIECES_OPEN_MORE_MS = 600_000;
const HOT_TEXT = 'What colours is this dress? (A load test wants to know how far it gets.)';
/** Limit of one read of a Set. */
const MEMBERS_MAX = 1_000;
/** k6 parses its scripts once for each virtual user: a larger storm needs more time to get ready. */
const GET_READY_MS = 5_000;
const GET_READY_MS_PER_ARRIVAL = 15;
/** The scripts limit the number of virtual users. */
const GET_READY_MS_MAX = 30_000;

export type StormOptions = Pick<Options, 'scenario' | 'seed' | 'peak_per_s' | 'duration_s'>;

/** `more_ms`: additional time for k6 to get ready. */
export async function prepare(claret: Claret, target: Target, options: StormOptions, more_ms = 0): Promise<StormData> {
  const { scenario, seed, peak_per_s, duration_s } = options;
  const needs = SCENARIOS[scenario];
  const [seller, ...bidders] = target.auctions === null ? [] : await auctionPeople(claret, AUCTION_PEOPLE_MAX);
  const star = target.timelines === null ? null : await mostFollowed(claret);
  const followers = star === null ? [] : await followersOf(claret, star.id);
  const others = target.timelines === null ? [] : await timelinePeople(claret, TIMELINE_PEOPLE_MAX);
  const fans = await timelinePeopleOf(claret, followers);
  const crowd = [...new Map([...fans, ...others].map((person) => [person.id, person])).values()].filter(({ id }) => id !== star?.id);
  const auction_people = await logInToAuctions(claret, bidders);
  const timeline_people = await logInToTimelines(claret, crowd.slice(0, TIMELINE_PEOPLE_MAX));
  const items = target.auctions === null ? [] : await openItems(claret);
  const starts_at_ms = Date.now() + Math.min(GET_READY_MS_MAX, GET_READY_MS + GET_READY_MS_PER_ARRIVAL * peak_per_s) + more_ms;
  const hot_item = needs.hot_item ? await openHotItem(claret, seller!, starts_at_ms + CLOSE_SHARE * duration_s * 1_000) : null;
  const pieces = needs.hot_item ? await openPieces(claret, seller!, starts_at_ms + duration_s * 1_000 + PIECES_OPEN_MORE_MS) : [];
  const hot_post = needs.hot_post ? await postHot(claret, star) : null;
  return {
    scenario,
    seed,
    peak_per_s,
    duration_s,
    starts_at_ms,
    auctions: target.auctions,
    timelines: target.timelines,
    gateways: target.gateways,
    auction_people,
    timeline_people,
    hot_item,
    pieces,
    items,
    categories: CATEGORIES.map(({ id }) => id),
    regions: REGIONS.map(({ id }) => id),
    hot_post,
    followers_of_hot: followers,
  };
}

async function openHotItem(
  claret: Claret,
  seller: { id: string; nickname: string },
  closes_at_ms: number,
): Promise<NonNullable<StormData['hot_item']>> {
  const { item_id } = await openAuction(claret, {
    title: HOT_TITLE,
    description: HOT_DESCRIPTION,
    category_id: 'curiosities',
    region_id: REGIONS[0]!.id,
    seller: { id: seller.id, nickname: seller.nickname },
    start_price_cents: HOT_START_PRICE_CENTS,
    opened_at_ms: Date.now(),
    closes_at_ms,
  });
  return { id: item_id, closes_at_ms, start_price_cents: HOT_START_PRICE_CENTS };
}

/** So few that a storm of the default height buys all of them: then they close early. */
async function openPieces(claret: Claret, { id, nickname }: { id: string; nickname: string }, closes_at_ms: number): Promise<string[]> {
  const opened = await mapAtOnce(PIECES_AUCTIONS, (number) =>
    openAuction(claret, {
      title: `Storm matches, box ${number + 1}`,
      description: PIECES_DESCRIPTION,
      category_id: 'curiosities',
      region_id: REGIONS[0]!.id,
      seller: { id, nickname },
      start_price_cents: HOT_START_PRICE_CENTS,
      opened_at_ms: Date.now(),
      closes_at_ms,
      quantity: LIMITS.quantity_max,
      buy_now_price_cents: PIECES_PRICE_CENTS,
    }),
  );
  return opened.map(({ item_id }) => item_id);
}

/** Sorted by end, soonest first. */
async function openItems(claret: Claret): Promise<string[]> {
  const [open] = await claret.transact('OpenItems', [
    claret.on.scoredSet(auctionKey.open_all).rangeByScore(Date.now(), Number.MAX_SAFE_INTEGER, ITEMS_MAX),
  ]);
  return open.map(([item_id]) => item_id);
}

async function postHot(claret: Claret, star: TimelinePerson | null): Promise<NonNullable<StormData['hot_post']>> {
  if (star === null) throw new Problem('Nobody on the timelines is followed: there is no data set.');
  const { post_id } = await post(claret, { author: star, text: HOT_TEXT, posted_at_ms: Date.now() });
  return { id: post_id, author: star.username };
}

/** The most followed person among those whom a demo account follows: the data set makes it follow famous people. */
async function mostFollowed(claret: Claret): Promise<TimelinePerson | null> {
  const demo = await findAccount(claret, { username: 'demo1' });
  if (demo === null) return null;
  const [followed] = await claret.transact('Following', [claret.on.set(timelineKey.following(demo.person.id)).members(MEMBERS_MAX)]);
  const counts = await readAll(
    claret,
    followed.map((id) => claret.on.set(timelineKey.followers(id)).size()),
  );
  const most = followed.map((id, i) => ({ id, count: Number(counts[i]) })).sort((a, b) => b.count - a.count)[0];
  return most === undefined ? null : ((await timelinePeopleOf(claret, [most.id]))[0] ?? null);
}

async function followersOf(claret: Claret, user_id: string): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const after = all.at(-1) ?? null;
    const [page] = await claret.transact('Followers', [claret.on.set(timelineKey.followers(user_id)).members(MEMBERS_MAX, after)]);
    all.push(...page);
    if (page.length < MEMBERS_MAX) return all;
  }
}
