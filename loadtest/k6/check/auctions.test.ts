// The check on the auctions: a true storm of bids, purchases, openings, closings and comments through two app servers' clients
// on a site with its data set holds; each kind of lie, in the ledger or in the store, is found and named.

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Claret } from '@claret/client';
import { bid, newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { buyNow } from '../../../apps/rubis/server/actions/buy-now.ts';
import { closeAuction } from '../../../apps/rubis/server/actions/close-auction.ts';
import { newComment } from '../../../apps/rubis/server/actions/new-comment.ts';
import { newUser } from '../../../apps/rubis/server/actions/new-user.ts';
import { openAuction } from '../../../apps/rubis/server/actions/open-auction.ts';
import { CATEGORIES } from '../../../apps/rubis/server/data/categories.ts';
import { generate } from '../../../apps/rubis/server/data/generate.ts';
import { REGIONS } from '../../../apps/rubis/server/data/regions.ts';
import { storeDataSet } from '../../../apps/rubis/server/data/store.ts';
import { key } from '../../../apps/rubis/server/model.ts';
import type { StormData, StormPerson } from '../storm.ts';
import { check, lookBefore, type Before } from './check.ts';
import { acceptedOf, act, NO_STORM, startStage, type Stage } from './testing.ts';

const PEOPLE = 12;
const WORKERS = 8;
const EACH = 120;
const CLOSES_IN_MS = 700;
const DAY_MS = 24 * 60 * 60 * 1_000;

let stage: Stage;
let data: StormData;
let before: Before;
let people: StormPerson[];
let seller: StormPerson;
/** opened before the storm: one ends within it, one has a reserve, one has pieces to buy, one sells out */
let hot: string;
let reserved: string;
let pieces: string;
let wanted: string;

const ref = ({ id, name }: StormPerson) => ({ id, nickname: name });

async function join(nickname: string): Promise<StormPerson> {
  const joined = await newUser(stage.claret, { nickname, region_id: 'ny-albany', credentials: null, created_at_ms: Date.now() });
  if (joined.refused !== null) throw new Error(joined.refused);
  return { id: joined.user_id, name: nickname, token: '' };
}

const open = async (claret: Claret, owner: StormPerson, more: Partial<Parameters<typeof openAuction>[1]> = {}): Promise<string> => {
  const now_ms = Date.now();
  const { item_id } = await openAuction(claret, {
    title: 'Green storm lantern', description: '', category_id: 'home', region_id: 'ny-albany', seller: ref(owner),
    start_price_cents: 100, opened_at_ms: now_ms, closes_at_ms: now_ms + DAY_MS, ...more,
  });
  return item_id;
};

async function prepare(): Promise<void> {
  const { claret, random } = stage;
  await storeDataSet(claret, generate('small', random.below(1_000)), { now_ms: Date.now(), demo_credentials: null });
  people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => join(`bidder${i}`)));
  seller = await join('seller');
  const closes_at_ms = Date.now() + CLOSES_IN_MS;
  hot = await open(claret, seller, { closes_at_ms });
  reserved = await open(claret, seller, { reserve_price_cents: 1_000_000, closes_at_ms: Date.now() + CLOSES_IN_MS / 2 });
  pieces = await open(claret, seller, { quantity: 10, buy_now_price_cents: 5_000, closes_at_ms: Date.now() + CLOSES_IN_MS / 2 });
  wanted = await open(claret, seller, { quantity: 3, buy_now_price_cents: 700 });
  const listed = await claret.transact('Look', [claret.on.scoredSet(key.open_all).range(0, 30)]);
  data = {
    ...NO_STORM, scenario: 'last-minute-auction', auction_people: [...people, seller], items: [reserved, pieces, wanted, ...listed[0].map(([item_id]) => item_id)],
    hot_item: { id: hot, closes_at_ms, start_price_cents: 100 }, categories: CATEGORIES.map(({ id }) => id), regions: REGIONS.map(({ id }) => id),
  };
}

async function bidOn(claret: Claret, item_id: string): Promise<void> {
  const { random } = stage;
  const who = random.pick(people);
  const [amount, bid_id] = [100 + random.below(20_000), newBidId()];
  const max = random.below(4) === 0 ? amount + random.below(5_000) : amount;
  await act(stage, 'bid', who.id, { item: item_id, amount, max }, async () => {
    const outcome = await bid(claret, { item_id, bidder: ref(who), amount_cents: amount, max_cents: max, placed_at_ms: Date.now(), bid_id });
    // Some scripts may not read the answer.
    return random.below(10) === 0 ? { refused: outcome.refused } : { refused: outcome.refused, facts: { bid_id } };
  });
}

async function buyOf(claret: Claret, item_id: string): Promise<void> {
  const { random } = stage;
  const who = random.pick(people);
  const [quantity, purchase_id] = [1 + random.below(2), newBidId()];
  const facts = { item: item_id, quantity, purchase_id };
  const buy = () => act(stage, 'buy', who.id, facts, () => buyNow(claret, { item_id, buyer: ref(who), quantity, purchase_id, bought_at_ms: Date.now() }));
  await buy();
  // The same once more, as who had no answer does.
  if (stage.ledger.at(-1)![3] !== 'accepted') await buy();
}

/** As all app servers do at once: one of them closes it. */
async function close(item_id: string): Promise<void> {
  for (const claret of [stage.claret, stage.other, stage.claret]) await closeAuction(claret, { item_id, now_ms: Date.now() });
}

async function commentOn(item_id: string, from: StormPerson, about: StormPerson): Promise<void> {
  const rating = stage.random.below(11) - 5;
  await act(stage, 'comment', from.id, { item: item_id, about: about.id, rating }, () =>
    newComment(stage.claret, { item_id, from: ref(from), rating, text: 'Fine', created_at_ms: Date.now(), about: { party_id: about.id } }));
}

async function storm(): Promise<void> {
  const { random } = stage;
  const steps: ((claret: Claret) => Promise<void>)[] = [
    (claret) => bidOn(claret, hot), (claret) => bidOn(claret, hot), (claret) => bidOn(claret, hot),
    (claret) => bidOn(claret, random.pick(data.items)),
    (claret) => buyOf(claret, random.pick([pieces, pieces, wanted])),
    (claret) => act(stage, 'open', random.pick(people).id, {}, async () => ({ facts: { item: await open(claret, random.pick(people)) } })),
  ];
  const closing = [hot, reserved, pieces].map(async (item_id) => {
    const [[closes_at_ms]] = await stage.claret.transact('Look', [stage.claret.on.dict(key.item_info(item_id)).get('closes_at_ms')]);
    await new Promise((resolve) => setTimeout(resolve, Number(closes_at_ms) - Date.now()));
    await close(item_id);
  });
  await Promise.all([...closing, ...Array.from({ length: WORKERS }, async (_, worker) => {
    for (let i = 0; i < EACH; i++) await random.pick(steps)(worker % 2 === 0 ? stage.claret : stage.other);
  })]);
  for (const who of people) for (const item_id of [hot, pieces, wanted, reserved]) {
    await commentOn(item_id, who, seller);
    await commentOn(item_id, seller, who);
  }
  // Whoever sees that nothing is left closes it.
  await close(wanted);
}

beforeAll(async () => {
  stage = await startStage();
  await prepare();
  before = await lookBefore(stage.claret, data);
  await storm();
});
afterAll(() => stage.stop());

const told = (ledger: readonly unknown[] = stage.ledger, more: object = {}) =>
  check(ledger, stage.claret, data, before, { decided_after_ms: 0, closed_within_ms: 300, ...more });

it('a true storm holds, as it was written and as it was read', async () => {
  for (const kind of ['bid', 'buy', 'open', 'comment'] as const) expect(acceptedOf(stage.ledger, kind).length, kind).toBeGreaterThan(1);
  expect(await told()).toEqual([]);
  expect(await told(stage.ledger.map((line) => JSON.stringify(line)))).toEqual([]);
});
