// BuyNow, and the end of auctions by it.
import type { Claret } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';
import { bid, newBidId } from './bid.ts';
import { boughtBefore, buyNow } from './buy-now.ts';
import { closeAuction } from './close-auction.ts';
import { viewSale } from './sale.ts';
import { viewAuction } from './view-auction.ts';
import { viewStock } from './view-stock.ts';

let world: World;
let servers: Claret[];
beforeAll(async () => {
  world = await startWorld();
  servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
});
afterAll(() => world.stop());

const server = (i: number): Claret => servers[i % servers.length] ?? world.claret;
const people = (name: string, count: number) => Promise.all(Array.from({ length: count }, (_, i) => world.person(`${name}_${i}`)));
const newId = () => crypto.randomUUID();

// The stored facts of a sale.
async function saleOf(item_id: string) {
  const viewed = await viewAuction(world.claret, { item_id });
  if (viewed.refused !== null) throw new Error(viewed.refused);
  const { info } = viewed.auction;
  const [{ left }, { purchases }] = [await viewStock(world.claret, { item_id, info }), await viewSale(world.claret, { item_id, info })];
  return { info, left, purchases, bought: purchases.reduce((sum, one) => sum + one.quantity, 0) };
}

const boughtOf = async (user: UserRef): Promise<string[]> => {
  const [list] = await world.claret.transact('Test', [world.claret.on.scoredSet(key.bought(user.id)).range(0, -1)]);
  return list.map(([id]) => id);
};

describe('BuyNow', () => {
  test('takes pieces from the stock and is on the buyer’s list', async () => {
    const [seller, buyer] = (await people('plain', 2)) as [UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 3, buy_now_price_cents: 7_00 });
    const bought = await world.buys(item_id, buyer, 2);
    expect(bought).toMatchObject({ refused: null, purchase: { quantity: 2, price_cents: 7_00, buyer_id: buyer.id } });
    expect(await saleOf(item_id)).toMatchObject({ left: 1, purchases: [{ buyer, quantity: 2 }], info: { status: 'open' } });
    expect(await boughtOf(buyer)).toHaveLength(1);
  });

  test('of a crowd through three app servers never sells more pieces than there were, and none of them twice', async () => {
    const seller = await world.person('crowd_seller');
    const buyers = await people('crowd', 60);
    for (let round = 0; round < 5; round++) {
      const item_id = await world.auction(seller, { quantity: 10, buy_now_price_cents: 7_00 });
      const answers = await Promise.all(
        buyers.map((buyer, i) =>
          buyNow(server(i), { item_id, buyer, quantity: 1 + ((i + round) % 3), purchase_id: newId(), bought_at_ms: Date.now() }),
        ),
      );
      const accepted = answers.flatMap((answer) => (answer.refused === null ? [answer.purchase] : []));
      expect(answers.every((answer) => answer.refused === null || answer.refused === 'not_enough_left')).toBe(true);
      const sold = accepted.reduce((sum, one) => sum + one.quantity, 0);
      const stored = await saleOf(item_id);
      expect(stored.left).toBe(10 - sold);
      expect(stored.bought).toBe(sold);
      expect(stored.purchases).toHaveLength(accepted.length);
      // A refusal of a single piece means that none was left.
      const wantedOne = answers.filter((answer, i) => answer.refused !== null && (i + round) % 3 === 0);
      if (wantedOne.length > 0) expect(stored.left).toBe(0);
    }
  });

  test('sent again, also concurrently and at different servers, is one purchase', async () => {
    const [seller, buyer] = (await people('twice', 2)) as [UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 10, buy_now_price_cents: 7_00 });
    const purchase_id = newId();
    const once = { id: world.claret.transactionId(key.item_info(item_id)) };
    const buy = (i = 0) => buyNow(server(i), { item_id, buyer, quantity: 2, purchase_id, bought_at_ms: Date.now() + i }, once);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => buy(i)));
    expect(answers[0]).toMatchObject({ refused: null, purchase: { buyer_id: buyer.id, quantity: 2 } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await saleOf(item_id)).toMatchObject({ left: 8, bought: 2 });
    expect(await boughtOf(buyer)).toEqual([purchase_id]);
    // Also when nothing is left, and when the auction is over.
    await world.buys(item_id, buyer, 8);
    expect(await buy()).toEqual(answers[0]);
    await closeAuction(world.claret, { item_id, now_ms: Date.now() });
    expect(await buy()).toEqual(answers[0]);
  });

  test('asked for after its answer was forgotten is told by its record, and one that was not made can be made no more', async () => {
    const [seller, buyer] = (await people('late', 2)) as [UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 40, buy_now_price_cents: 7_00 });
    const newOnce = () => ({ id: world.claret.transactionId(key.item_info(item_id)) });
    const input = { item_id, buyer, quantity: 2, purchase_id: newId(), bought_at_ms: Date.now() };
    const bought = await buyNow(world.claret, input, newOnce());
    expect(await boughtBefore(world.claret, input, newOnce())).toEqual(bought);
    expect(await boughtBefore(world.claret, { ...input, buyer: seller }, newOnce())).toEqual({ refused: 'key_expired' });

    const [purchase_id, once] = [newId(), newOnce()];
    expect(await boughtBefore(server(0), { buyer, purchase_id }, once)).toEqual({ refused: 'key_expired' });
    expect(await buyNow(server(1), { ...input, purchase_id }, once)).toEqual({ refused: 'key_expired' });
    expect(await saleOf(item_id)).toMatchObject({ left: 38, bought: 2 });
    for (let round = 0; round < 20; round++) {
      const [race, raced] = [newOnce(), { ...input, quantity: 1, purchase_id: newId() }];
      const told = await Promise.all([buyNow(server(0), raced, race), boughtBefore(server(1), raced, race)]);
      expect(told[0]).toEqual(told[1]);
    }
  });

  test('goes by what the auction is, whatever its buyer has seen of it', async () => {
    const [seller, buyer, bidder] = (await people('seen', 3)) as [UserRef, UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 10, buy_now_price_cents: 7_00, closes_at_ms: Date.now() + DAY_MS });
    const look = async () => {
      const viewed = await viewAuction(world.claret, { item_id });
      if (viewed.refused !== null) throw new Error(viewed.refused);
      return viewed.auction;
    };
    const buy = (seen: Awaited<ReturnType<typeof look>>, bought_at_ms = Date.now()) =>
      buyNow(world.claret, { item_id, buyer, quantity: 1, purchase_id: newId(), bought_at_ms, seen });
    const first = await look();
    for (const lie of [{ buy_now_price_cents: 1 }, { buy_now_price_cents: null }, { status: 'closed' as const }, { seller: buyer }]) {
      const told = await buy({ ...first, info: { ...first.info, ...lie } });
      expect(told, JSON.stringify(lie)).toMatchObject({ refused: null, purchase: { price_cents: 7_00 } });
    }
    for (const amount of [2_00, 3_00, 4_00]) await world.bids(item_id, bidder, amount, amount + 1_00);
    const later = await look();
    expect(later.bids).toHaveLength(3);
    for (const seen of [first, later, { ...later, bids: later.bids.slice(1) }]) expect(await buy(seen)).toMatchObject({ refused: null });
    await world.bids(item_id, buyer, 9_00);
    expect(await buy(later)).toEqual({ refused: 'buy_now_withdrawn' });
    expect(await buy(await look())).toEqual({ refused: 'buy_now_withdrawn' });
    expect(await saleOf(item_id)).toMatchObject({ left: 3, bought: 7 });
  });

  test('whose terms and bids are known needs no second attempt', async () => {
    const [seller, buyer, bidder] = (await people('known', 3)) as [UserRef, UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 3, buy_now_price_cents: 70_00 });
    for (const amount of [2_00, 3_00, 4_00]) await world.bids(item_id, bidder, amount, amount + 50);
    const viewed = await viewAuction(world.claret, { item_id });
    if (viewed.refused !== null) throw new Error(viewed.refused);
    const { retries } = world.claret.counters;
    const input = { item_id, buyer, quantity: 1, bought_at_ms: Date.now(), seen: viewed.auction };
    expect(await buyNow(world.claret, { ...input, purchase_id: newId() })).toMatchObject({ refused: null });
    expect(world.claret.counters.retries).toBe(retries);
  });

  test('is refused to the seller, without a Buy now price, after the end, and for zero pieces', async () => {
    const [seller, buyer] = (await people('refused', 2)) as [UserRef, UserRef];
    const plain = await world.auction(seller);
    const offered = await world.auction(seller, { buy_now_price_cents: 7_00 });
    const over = await world.auction(seller, { buy_now_price_cents: 7_00, closes_at_ms: Date.now() - 1 });
    const closed = await world.auction(seller, { buy_now_price_cents: 7_00, closes_at_ms: Date.now() - 1 });
    await closeAuction(world.claret, { item_id: closed, now_ms: Date.now() });
    expect(await world.buys(plain, buyer)).toEqual({ refused: 'no_buy_now' });
    expect(await world.buys(offered, seller)).toEqual({ refused: 'own_item' });
    expect(await world.buys(offered, buyer, 2)).toEqual({ refused: 'not_enough_left' });
    expect(await world.buys(over, buyer)).toEqual({ refused: 'auction_closed' });
    expect(await world.buys(closed, buyer)).toEqual({ refused: 'auction_closed' });
    expect(await world.buys('nothing', buyer)).toEqual({ refused: 'unknown_item' });
    for (const item_id of [offered, over, closed]) expect(await saleOf(item_id)).toMatchObject({ left: 1, bought: 0 });
    expect(await boughtOf(buyer)).toEqual([]);
  });
});

describe('An auction whose pieces can be bought', () => {
  test('ends when nothing is left, before its time, and no bid wins', async () => {
    const [seller, buyer, bidder] = (await people('sold_out', 3)) as [UserRef, UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 2, buy_now_price_cents: 7_00 });
    await world.bids(item_id, bidder, 5_00);
    await world.buys(item_id, buyer);
    expect(await closeAuction(world.claret, { item_id, now_ms: Date.now() })).toEqual({ refused: 'auction_open' });
    await world.buys(item_id, buyer);
    const now_ms = Date.now();
    expect(await closeAuction(world.claret, { item_id, now_ms })).toEqual({
      refused: null,
      winner: null,
      final_price_cents: null,
      ended_by: 'sold_out',
    });
    expect(await saleOf(item_id)).toMatchObject({
      left: 0,
      info: { status: 'closed', winner: null, ended_by: 'sold_out', closed_at_ms: now_ms },
    });
    expect(await world.bids(item_id, bidder, 9_00)).toEqual({ refused: 'auction_closed' });
    const [won] = await world.claret.transact('Test', [world.claret.on.scoredSet(key.won(bidder.id)).size()]);
    expect(won).toBe(0);
  });

  test('gives the highest bidder one piece at its end, if one is left', async () => {
    const [seller, buyer, bidder] = (await people('one_left', 3)) as [UserRef, UserRef, UserRef];
    const closes_at_ms = Date.now() + 60_000;
    const item_id = await world.auction(seller, { quantity: 4, buy_now_price_cents: 7_00, closes_at_ms });
    await world.bids(item_id, bidder, 5_00);
    await world.buys(item_id, buyer);
    expect(await closeAuction(world.claret, { item_id, now_ms: closes_at_ms })).toEqual({
      refused: null,
      winner: bidder,
      final_price_cents: 5_00,
      ended_by: 'time',
    });
    expect(await saleOf(item_id)).toMatchObject({ left: 2, bought: 1, info: { winner: bidder } });
    const [stock] = await world.claret.transact('Test', [world.claret.on.boundedCounter(key.item_stock(item_id)).value()]);
    expect(stock).toBe(2);
  });

  test('that ends while a crowd buys and bids accounts for each piece once: bought, won, or left', async () => {
    const seller = await world.person('rush_seller');
    const crowd = await people('rush', 24);
    for (let round = 0; round < 6; round++) {
      const closes_at_ms = Date.now() + 60_000;
      const quantity = 1 + 2 * round; // 1 to 11
      const item_id = await world.auction(seller, { quantity, buy_now_price_cents: 7_00, closes_at_ms });
      const buying = crowd.map((buyer, i) =>
        buyNow(server(i), { item_id, buyer, quantity: 1, purchase_id: newId(), bought_at_ms: Date.now() }),
      );
      const bidding = crowd.map((bidder, i) =>
        bid(server(i), { item_id, bidder, amount_cents: 2_00 + i, placed_at_ms: Date.now(), bid_id: newBidId() }),
      );
      const closing = Array.from({ length: 6 }, (_, i) => closeAuction(server(i), { item_id, now_ms: closes_at_ms }));
      const [bought, , closed] = await Promise.all([Promise.all(buying), Promise.all(bidding), Promise.all(closing)]);
      const accepted = bought.filter((answer) => answer.refused === null).length;
      const ended = closed.filter((answer) => answer.refused === null);
      expect(ended).toHaveLength(1);
      const stored = await saleOf(item_id);
      const won = stored.info.winner === null ? 0 : 1;
      expect(stored.bought).toBe(accepted);
      expect(accepted + won + (stored.left ?? 0)).toBe(quantity);
      const [stock] = await world.claret.transact('Test', [world.claret.on.boundedCounter(key.item_stock(item_id)).value()]);
      expect(stock).toBe(stored.left);
    }
  });
});
