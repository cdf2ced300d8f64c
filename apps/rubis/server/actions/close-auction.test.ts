import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startWorld, type World } from '../testing/world.ts';
import { browse } from './browse.ts';
import { closeAuction } from './close-auction.ts';
import { myItems } from './my-page.ts';
import { search } from './search.ts';
import { viewAuction } from './view-auction.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

describe('CloseAuction', () => {
  test('gives the auction to the highest bidder and takes it off every list', async () => {
    const [seller, first, second] = [await world.person('seller_a'), await world.person('first'), await world.person('second')];
    const closes_at_ms = Date.now() + 60_000;
    const item_id = await world.auction(seller, { title: 'Singular Zither', category_id: 'instruments', closes_at_ms });
    await world.bids(item_id, first, 9_00);
    await world.bids(item_id, second, 8_00);
    const place = { category_id: 'instruments', region_id: 'ny-albany', now_ms: Date.now(), after: null };
    const listed = async () => [
      ...(await browse(world.claret, place)).items,
      ...(await search(world.claret, { text: 'zither', now_ms: Date.now(), after: null })).items,
    ];
    expect(await listed()).toHaveLength(2);

    const closed = await closeAuction(world.claret, { item_id, now_ms: closes_at_ms });
    expect(closed).toEqual({ refused: null, winner: first, final_price_cents: 9_00, ended_by: 'time' });
    expect(await listed()).toEqual([]);
    expect(await viewAuction(world.claret, { item_id })).toMatchObject({
      auction: { info: { status: 'closed', winner: first, final_price_cents: 9_00, closed_at_ms: closes_at_ms } },
    });
    const now_ms = Date.now();
    expect((await myItems(world.claret, { user_id: first.id, now_ms })).won.map((one) => one.item.id)).toEqual([item_id]);
    expect((await myItems(world.claret, { user_id: second.id, now_ms })).lost.map((one) => one.item.id)).toEqual([item_id]);
    expect((await myItems(world.claret, { user_id: seller.id, now_ms })).sold).toMatchObject([{ standing: 'sold', winner: first }]);
  });

  test('without bids leaves it unsold', async () => {
    const seller = await world.person('seller_b');
    const item_id = await world.auction(seller, { closes_at_ms: Date.now() - 1 });
    const closed = await closeAuction(world.claret, { item_id, now_ms: Date.now() });
    expect(closed).toEqual({ refused: null, winner: null, final_price_cents: null, ended_by: 'time' });
    const mine = await myItems(world.claret, { user_id: seller.id, now_ms: Date.now() });
    expect(mine.sold).toMatchObject([{ standing: 'unsold', winner: null }]);
  });

  test('happens once, however many servers try', async () => {
    const seller = await world.person('seller_c');
    const item_id = await world.auction(seller, { closes_at_ms: Date.now() - 1 });
    const servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => closeAuction(servers[i % 3] ?? world.claret, { item_id, now_ms: Date.now() })),
    );
    expect(answers.filter((answer) => answer.refused === null)).toHaveLength(1);
    expect(answers.filter((answer) => answer.refused === 'auction_closed')).toHaveLength(11);
  });

  test('during a rush of bids: each bid is counted or refused, and none beats the winner', async () => {
    const [seller, bidder] = [await world.person('seller_d'), await world.person('bidder_d')];
    const closes_at_ms = Date.now() + 60_000;
    const item_id = await world.auction(seller, { closes_at_ms });
    const amounts = Array.from({ length: 120 }, (_, i) => 2_00 + i * 10);
    const answering = amounts.map((amount) => world.bids(item_id, bidder, amount));
    const closed = await closeAuction(world.claret, { item_id, now_ms: closes_at_ms });
    const answers = await Promise.all(answering);
    const accepted = amounts.filter((_, i) => answers[i]?.refused === null);
    expect(answers.every((answer) => answer.refused === null || answer.refused === 'auction_closed')).toBe(true);
    const viewed = await viewAuction(world.claret, { item_id });
    expect(viewed).toMatchObject({ auction: { bid_count: accepted.length } });
    expect(closed).toMatchObject({ final_price_cents: accepted.length === 0 ? null : Math.max(...accepted) });
  });

  test('is refused before the end, and for unknown items', async () => {
    const seller = await world.person('seller_e');
    const item_id = await world.auction(seller);
    expect(await closeAuction(world.claret, { item_id, now_ms: Date.now() })).toEqual({ refused: 'auction_open' });
    expect(await closeAuction(world.claret, { item_id: 'none', now_ms: Date.now() })).toEqual({ refused: 'unknown_item' });
  });
});
