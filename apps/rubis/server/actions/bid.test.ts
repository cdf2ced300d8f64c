import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { key } from '../model.ts';
import { byRank, priceOf, type Bid } from '../price.ts';
import { currentPrice } from '../standing.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';
import { bid, newBidId } from './bid.ts';
import { closeAuction } from './close-auction.ts';
import { viewAuction } from './view-auction.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

async function auctionOf(item_id: string) {
  const viewed = await viewAuction(world.claret, { item_id });
  if (viewed.refused !== null) throw new Error(viewed.refused);
  return viewed.auction;
}

describe('Bid', () => {
  test('is accepted, counted and shown with its bidder', async () => {
    const [seller, bidder] = [await world.person('seller_a'), await world.person('bidder_a')];
    const item_id = await world.auction(seller);
    expect(await world.bids(item_id, bidder, 2_50)).toMatchObject({ refused: null });
    const { bids, bid_count } = await auctionOf(item_id);
    expect(bid_count).toBe(1);
    expect(bids).toMatchObject([{ amount_cents: 2_50, bidder }]);
  });

  test('from a crowd through three app servers: every accepted bid is counted and the highest leads', async () => {
    const seller = await world.person('seller_b');
    const bidders = await Promise.all(Array.from({ length: 8 }, (_, i) => world.person(`crowd_${i}`)));
    const item_id = await world.auction(seller);
    const servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
    const amounts = Array.from({ length: 240 }, (_, i) => 1_00 + ((i * 7_919) % 100_003));
    const answers = await Promise.all(
      amounts.map((amount_cents, i) => {
        const [server, bidder] = [servers[i % 3], bidders[i % 8]];
        if (server === undefined || bidder === undefined) throw new Error('no server or bidder');
        return bid(server, { item_id, bidder, amount_cents, placed_at_ms: Date.now(), bid_id: newBidId() });
      }),
    );
    const accepted = answers.filter((answer) => answer.refused === null);
    const { bids, bid_count } = await auctionOf(item_id);
    expect(bid_count).toBe(accepted.length);
    expect(accepted).toHaveLength(amounts.length);
    expect(bids[0]?.amount_cents).toBe(Math.max(...amounts));
    expect(bids.map((one) => one.amount_cents)).toEqual(amounts.toSorted((a, b) => b - a).slice(0, 50));
  });

  test('with a maximum, from a crowd through three app servers: price and leader follow from all bids together', async () => {
    const seller = await world.person('seller_m');
    const bidders = await Promise.all(Array.from({ length: 6 }, (_, i) => world.person(`max_${i}`)));
    const item_id = await world.auction(seller);
    const servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
    const now = Date.now();
    const placed: Bid[] = Array.from({ length: 120 }, (_, i) => {
      const amount_cents = 1_00 + ((i * 7_919) % 9_973);
      const max_cents = amount_cents + (i % 2 === 0 ? 0 : (i * 104_729) % 5_003);
      return { id: `m${i}`, bidder: bidders[i % 6] ?? seller, placed_at_ms: now + i, amount_cents, max_cents };
    });
    await Promise.all(placed.map(({ id, ...one }, i) => bid(servers[i % 3] ?? world.claret, { item_id, ...one, bid_id: id })));
    const ranked = placed.toSorted(byRank);
    const auction = await auctionOf(item_id);
    expect(auction.bids).toEqual(ranked.slice(0, auction.bids.length));
    expect(currentPrice(auction)).toBe(priceOf({ start_price_cents: 1_00, reserve_price_cents: null }, ranked));
    const closed = await closeAuction(world.claret, { item_id, now_ms: now + 2 * DAY_MS });
    expect(closed).toMatchObject({ winner: ranked[0]?.bidder, final_price_cents: currentPrice(auction) });
  });

  test('does the same operations with and without a maximum', async () => {
    const [seller, bidder] = [await world.person('seller_o'), await world.person('bidder_o')];
    const item_id = await world.auction(seller);
    const operations: number[] = [];
    const observed = world.claret.observed((receipt) => void operations.push(receipt.operations));
    for (const max_cents of [2_00, 9_00]) {
      await bid(observed, { item_id, bidder, amount_cents: 2_00, max_cents, placed_at_ms: Date.now(), bid_id: newBidId() });
    }
    expect(operations).toEqual([5, 5]);
  });

  test('of the same amount twice: the earlier one leads', async () => {
    const [seller, early, late] = [await world.person('seller_c'), await world.person('early'), await world.person('late')];
    const item_id = await world.auction(seller);
    const now = Date.now();
    const place = (bidder: typeof early, placed_at_ms: number) =>
      bid(world.claret, { item_id, bidder, amount_cents: 5_00, placed_at_ms, bid_id: newBidId() });
    await place(late, now + 1);
    await place(early, now);
    const { bids } = await auctionOf(item_id);
    expect(bids.map((one) => one.bidder.nickname)).toEqual(['early', 'late']);
  });

  test('puts the auction on the bidder’s list once, however often they bid', async () => {
    const [seller, bidder] = [await world.person('seller_d'), await world.person('bidder_d')];
    const item_id = await world.auction(seller);
    await Promise.all([2_00, 3_00, 4_00, 5_00].map((amount) => world.bids(item_id, bidder, amount)));
    const [list] = await world.claret.transact('Test', [world.claret.on.scoredSet(key.bidding(bidder.id)).range(0, -1)]);
    expect(list.map(([item]) => item)).toEqual([item_id]);
  });

  test('is refused on one’s own auction, a closed one, one that does not exist, and below the start price', async () => {
    const [seller, bidder] = [await world.person('seller_e'), await world.person('bidder_e')];
    const open = await world.auction(seller, { start_price_cents: 10_00 });
    const over = await world.auction(seller, { closes_at_ms: Date.now() - 1 });
    const closed = await world.auction(seller, { closes_at_ms: Date.now() - 1 });
    await closeAuction(world.claret, { item_id: closed, now_ms: Date.now() });
    expect(await world.bids(open, seller, 20_00)).toEqual({ refused: 'own_item' });
    expect(await world.bids(open, bidder, 9_99)).toEqual({ refused: 'amount_below_minimum' });
    expect(await world.bids(over, bidder, 20_00)).toEqual({ refused: 'auction_closed' });
    expect(await world.bids(closed, bidder, 20_00)).toEqual({ refused: 'auction_closed' });
    expect(await world.bids('nothing', bidder, 20_00)).toEqual({ refused: 'unknown_item' });
    for (const item_id of [open, over, closed]) expect((await auctionOf(item_id)).bid_count).toBe(0);
  });
});
