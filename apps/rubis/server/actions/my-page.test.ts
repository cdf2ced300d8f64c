// The data of a person's own page: its visibility, its age limit, and its size.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { LIMITS } from '../api.ts';
import { key } from '../model.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';
import { buyNow } from './buy-now.ts';
import { closeAuction } from './close-auction.ts';
import { myItems, ties } from './my-page.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

describe('A person’s own page', () => {
  test('shows what was won, bought and sold for thirty days', async () => {
    const [seller, winner] = [await world.person('back_seller'), await world.person('back_winner')];
    const now_ms = Date.now();
    for (const days_ago of [31, 29]) {
      const closes_at_ms = now_ms - days_ago * DAY_MS;
      const item_id = await world.auction(seller, {
        title: `${days_ago} days`,
        closes_at_ms: now_ms + DAY_MS,
        quantity: 2,
        buy_now_price_cents: 9_00,
      });
      await world.bids(item_id, winner, 2_00);
      const bought = { item_id, buyer: winner, quantity: 1, purchase_id: crypto.randomUUID(), bought_at_ms: closes_at_ms - 1 };
      expect(await buyNow(world.claret, bought)).toMatchObject({ refused: null });
      await world.claret.transact('Test', [world.claret.on.dict(key.item_info(item_id)).set({ closes_at_ms })]);
      expect(await closeAuction(world.claret, { item_id, now_ms: closes_at_ms })).toMatchObject({ winner });
    }
    const titles = (entries: readonly { item: { title: string } }[]) => entries.map(({ item }) => item.title);
    const ofWinner = await myItems(world.claret, { user_id: winner.id, now_ms });
    expect([titles(ofWinner.won), titles(ofWinner.bought)]).toEqual([['29 days'], ['29 days']]);
    expect(ofWinner.won[0]?.sales).toEqual([]); // buyers see their own purchases only
    const ofSeller = await myItems(world.claret, { user_id: seller.id, now_ms });
    expect(titles(ofSeller.sold)).toEqual(['29 days']);
    expect(ofSeller.sold[0]?.sales).toMatchObject([
      { buyer: winner, quantity: 1, total_cents: 2_00 },
      { buyer: winner, quantity: 1, total_cents: 9_00 },
    ]);
  });

  test('shows the person’s best bid even if a crowd has pushed it out of the auction’s TopK', async () => {
    const [seller, low, high] = [await world.person('crowd_seller'), await world.person('crowd_low'), await world.person('crowd_high')];
    const item_id = await world.auction(seller);
    await world.bids(item_id, low, 2_00, 4_00);
    await world.bids(item_id, low, 1_50); // an earlier bid that arrives late
    await Promise.all(Array.from({ length: 140 }, (_, i) => world.bids(item_id, high, 5_00 + i)));
    const [entry] = (await myItems(world.claret, { user_id: low.id, now_ms: Date.now() })).bidding;
    expect(entry).toMatchObject({ standing: 'outbid', my_bid_cents: 4_00, my_max_cents: 4_00 });
    expect(await ties(world.claret, { item_id, user_id: low.id })).toEqual({ bidder: true, best_cents: 4_00, watching: false });
  });

  test('is bounded, however much the person did', async () => {
    const [seller, buyer] = [await world.person('much_seller'), await world.person('much_buyer')];
    const many = LIMITS.my_items_max + 20;
    const items = await Promise.all(
      Array.from({ length: many }, (_, i) =>
        world.auction(seller, { closes_at_ms: Date.now() + DAY_MS + i, buy_now_price_cents: 9_00, quantity: 2 }),
      ),
    );
    await Promise.all(items.flatMap((item_id) => [world.bids(item_id, buyer, 2_00), world.buys(item_id, buyer)]));
    const page = await myItems(world.claret, { user_id: buyer.id, now_ms: Date.now() });
    expect([page.bidding.length, page.bought.length]).toEqual([LIMITS.my_items_max, LIMITS.my_items_max]);
    expect(page.bidding.map(({ item }) => item.id)).toEqual(items.slice(0, LIMITS.my_items_max));
    expect((await myItems(world.claret, { user_id: seller.id, now_ms: Date.now() })).selling).toHaveLength(LIMITS.my_items_max);
  });
});
