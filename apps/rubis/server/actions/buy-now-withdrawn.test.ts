// Buy now and bids: Buy now is withdrawn once the price has reached its price.
import type { Claret } from '@claret/client';
import { Random } from '@claret/site/data/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { minNextBid } from '../model.ts';
import { byRank, priceOf, type Bid } from '../price.ts';
import { startWorld, type World } from '../testing/world.ts';
import { bid, newBidId } from './bid.ts';
import { buyNow } from './buy-now.ts';
import { closeAuction } from './close-auction.ts';
import { viewAuction } from './view-auction.ts';
import { viewStock } from './view-stock.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const START = 10_00;
const BUY_NOW = 20_00;

let world: World;
let servers: Claret[];
let seller: UserRef;
let people: UserRef[];
beforeAll(async () => {
  world = await startWorld();
  servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
  seller = await world.person('seller');
  people = await Promise.all(Array.from({ length: 12 }, (_, i) => world.person(`person_${i}`)));
});
afterAll(() => world.stop());

const server = (i: number): Claret => servers[i % servers.length] ?? world.claret;
const person = (i: number): UserRef => people[i % people.length] ?? seller;
const offer = (quantity = 1) => world.auction(seller, { start_price_cents: START, buy_now_price_cents: BUY_NOW, quantity });
const placed = (bidder: UserRef, amount_cents: number, max_cents = amount_cents, placed_at_ms = 0): Bid => ({
  id: newBidId(),
  bidder,
  amount_cents,
  max_cents,
  placed_at_ms,
});
const price = (bids: readonly Bid[]): number => priceOf({ start_price_cents: START, reserve_price_cents: null }, bids.toSorted(byRank));

async function left(item_id: string): Promise<number | null> {
  const viewed = await viewAuction(world.claret, { item_id });
  if (viewed.refused !== null) throw new Error(viewed.refused);
  return (await viewStock(world.claret, { item_id, info: viewed.auction.info })).left;
}

test('No purchase is below what others have bid, and the highest bidder gets the piece', async () => {
  const item_id = await offer();
  const [one, two, three] = [person(0), person(1), person(2)];
  await world.bids(item_id, one, 10_00, 30_00);
  await world.bids(item_id, two, 30_00);
  expect(await world.buys(item_id, two)).toEqual({ refused: 'buy_now_withdrawn' });
  expect(await world.buys(item_id, three)).toEqual({ refused: 'buy_now_withdrawn' });
  expect(await left(item_id)).toBe(1);
  const viewed = await viewAuction(world.claret, { item_id });
  const now_ms = viewed.refused === null ? viewed.auction.info.closes_at_ms : 0;
  expect(await closeAuction(world.claret, { item_id, now_ms })).toMatchObject({ winner: one, final_price_cents: 30_00 });
});

test('A secret maximum above it withdraws nothing while the price is below', async () => {
  const item_id = await offer(2);
  await world.bids(item_id, person(0), 10_00, 50_00);
  expect(await world.buys(item_id, person(1))).toMatchObject({ refused: null });
  await world.bids(item_id, person(1), 19_50);
  expect(await world.buys(item_id, person(1))).toEqual({ refused: 'buy_now_withdrawn' }); // one increment above 19.50 is 20
  expect(await left(item_id)).toBe(1);
});

test('A reserve does not withdraw Buy now, but a price raised to the reserve does', async () => {
  const terms = { start_price_cents: START, buy_now_price_cents: BUY_NOW, quantity: 2 };
  const [low, high] = [
    await world.auction(seller, { ...terms, reserve_price_cents: 15_00 }),
    await world.auction(seller, { ...terms, reserve_price_cents: BUY_NOW }),
  ];
  for (const item_id of [low, high]) await world.bids(item_id, person(0), 10_00, 40_00);
  expect(await world.buys(low, person(1))).toMatchObject({ refused: null });
  expect(await world.buys(high, person(1))).toEqual({ refused: 'buy_now_withdrawn' });
});

test('A purchase whose answer was lost is still answered after that', async () => {
  const item_id = await offer();
  const input = { item_id, buyer: person(0), quantity: 1, purchase_id: crypto.randomUUID(), bought_at_ms: Date.now() };
  const once = { id: world.claret.transactionId() };
  const bought = await buyNow(world.claret, input, once);
  expect(bought).toMatchObject({ refused: null, purchase: { quantity: 1 } });
  await world.bids(item_id, person(1), 25_00);
  expect(await buyNow(world.claret, input, once)).toEqual(bought);
  expect(await buyNow(world.claret, { ...input, purchase_id: crypto.randomUUID() })).toEqual({ refused: 'buy_now_withdrawn' });
});

test(`Bids and purchases in any order agree with a model of a list of bids and a number of pieces (seed ${SEED})`, async () => {
  const random = new Random(SEED, 1);
  for (let round = 0; round < 25; round++) {
    const quantity = random.integer(1, 6);
    const item_id = await offer(quantity);
    const bids: Bid[] = [];
    let pieces = quantity;
    for (let step = 0; step < 12; step++) {
      const who = person(random.integer(0, 4));
      const now_ms = Date.now() + step; // decides between equal maxima
      if (random.chance(0.5)) {
        const amount = minNextBid(START, bids.length === 0 ? null : price(bids)) + random.integer(0, 2) * 50;
        const made = placed(who, amount, random.chance(0.4) ? amount + random.integer(0, 15_00) : amount, now_ms);
        bids.push(made);
        await bid(server(step), { item_id, ...made, placed_at_ms: now_ms, bid_id: made.id });
      } else {
        const wanted = random.integer(1, 3);
        const refused = price(bids) >= BUY_NOW ? 'buy_now_withdrawn' : wanted > pieces ? 'not_enough_left' : null;
        const bought = await buyNow(server(step), {
          item_id,
          buyer: who,
          quantity: wanted,
          purchase_id: crypto.randomUUID(),
          bought_at_ms: now_ms,
        });
        expect(bought.refused, `seed ${SEED}, round ${round}, step ${step}`).toBe(refused);
        if (refused === null) pieces -= wanted;
      }
    }
    expect(await left(item_id)).toBe(pieces);
  }
});

// An operation that was answered before another began precedes it, whatever runs concurrently.
test('Concurrent bids and purchases: no purchase succeeds after the price was reached, none is refused before', async () => {
  type Span = { began: number; ended: number };
  const timed = async <T>(work: () => Promise<T>): Promise<T & Span> => {
    const began = performance.now();
    const answer = await work();
    return { ...answer, began, ended: performance.now() };
  };
  const seen = { bought: 0, withdrawn: 0 };
  for (let round = 0; round < 12; round++) {
    const item_id = await offer(10);
    const rising = Array.from({ length: 12 }, (_, i) => placed(person(i), START + i * 1_00, undefined, Date.now() + i));
    const bidding = rising.map((made, i) =>
      timed(async () => {
        await new Promise((resolve) => setTimeout(resolve, i * 2));
        return { ...(await bid(server(i), { item_id, ...made, bid_id: made.id })), made };
      }),
    );
    const buying = Array.from({ length: 16 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 2));
      return timed(() =>
        buyNow(server(i + round), { item_id, buyer: person(i), quantity: 1, purchase_id: crypto.randomUUID(), bought_at_ms: Date.now() }),
      );
    });
    const [bids, buys] = await Promise.all([Promise.all(bidding), Promise.all(buying)]);
    for (const one of buys) {
      const surely = bids.filter(({ ended }) => ended < one.began).map(({ made }) => made);
      const perhaps = bids.filter(({ began }) => began < one.ended).map(({ made }) => made);
      if (one.refused === null) expect(price(surely)).toBeLessThan(BUY_NOW);
      if (one.refused === 'buy_now_withdrawn') expect(price(perhaps)).toBeGreaterThanOrEqual(BUY_NOW);
      if (one.refused === null) seen.bought++;
      if (one.refused === 'buy_now_withdrawn') seen.withdrawn++;
    }
    expect(await left(item_id)).toBe(10 - buys.filter(({ refused }) => refused === null).length);
  }
  expect(seen.bought).toBeGreaterThan(0);
  expect(seen.withdrawn).toBeGreaterThan(0);
});
