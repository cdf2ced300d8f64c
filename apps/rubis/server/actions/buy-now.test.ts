// BuyNow, and the end of auctions by it.
import type { Claret } from '@claret/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { UserRef } from '../api.ts';
import { key } from '../model.ts';
import { startWorld, type World } from '../testing/world.ts';
import { bid, newBidId } from './bid.ts';
import { buyNow } from './buy-now.ts';
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
    expect(bought).toMatchObject({ refused: null, repeated: false, purchase: { quantity: 2, price_cents: 7_00, buyer_id: buyer.id } });
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

  test('twice with one id, also concurrently and at different servers, is one purchase', async () => {
    const [seller, buyer] = (await people('twice', 2)) as [UserRef, UserRef];
    const item_id = await world.auction(seller, { quantity: 10, buy_now_price_cents: 7_00 });
    const purchase_id = newId();
    const input = { item_id, buyer, quantity: 2, purchase_id };
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => buyNow(server(i), { ...input, bought_at_ms: Date.now() + i })));
    expect(answers.filter((answer) => answer.refused === null && !answer.repeated)).toHaveLength(1);
    expect(answers.filter((answer) => answer.refused === null && answer.repeated)).toHaveLength(11);
    expect(new Set(answers.map((answer) => (answer.refused === null ? answer.purchase.bought_at_ms : 0))).size).toBe(1);
    expect(await saleOf(item_id)).toMatchObject({ left: 8, bought: 2 });
    expect(await boughtOf(buyer)).toEqual([purchase_id]);
    // Also when nothing is left, and when the auction is over.
    await world.buys(item_id, buyer, 8);
    expect(await buyNow(world.claret, { ...input, bought_at_ms: Date.now() })).toMatchObject({ refused: null, repeated: true });
    await closeAuction(world.claret, { item_id, now_ms: Date.now() });
    expect(await buyNow(world.claret, { ...input, bought_at_ms: Date.now() })).toMatchObject({ refused: null, repeated: true });
  });

  test('with the id of another purchase is refused, whoever made it, and changes nothing', async () => {
    const [seller, buyer, other] = (await people('taken', 3)) as [UserRef, UserRef, UserRef];
    const [item_id, another] = [
      await world.auction(seller, { quantity: 5, buy_now_price_cents: 7_00 }),
      await world.auction(seller, { quantity: 5, buy_now_price_cents: 7_00 }),
    ];
    const purchase_id = newId();
    const input = { item_id, buyer, quantity: 2, purchase_id, bought_at_ms: Date.now() };
    await buyNow(world.claret, input);
    for (const change of [{ buyer: other }, { quantity: 1 }, { item_id: another }, { buyer: other, item_id: another }]) {
      expect(await buyNow(world.claret, { ...input, ...change })).toEqual({ refused: 'purchase_id_taken' });
    }
    expect(await saleOf(item_id)).toMatchObject({ left: 3, bought: 2 });
    expect(await saleOf(another)).toMatchObject({ left: 5, bought: 0 });
    expect(await boughtOf(other)).toEqual([]);
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
