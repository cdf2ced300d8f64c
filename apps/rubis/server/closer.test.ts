import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { Closer } from './closer.ts';
import { startWorld, type World } from './testing/world.ts';
import { viewAuction } from './actions/view-auction.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

describe('Closer', () => {
  test('closes every auction on time and once, with three closers running', async () => {
    const seller = await world.person('seller');
    const bidder = await world.person('bidder');
    const closedBy: { item_id: string; at_ms: number; winner: string | null }[] = [];
    const errors: unknown[] = [];
    const events = {
      onClosed: (item_id: string, { winner }: { winner: { id: string } | null }) =>
        void closedBy.push({ item_id, at_ms: Date.now(), winner: winner?.id ?? null }),
      onError: (_: string, error: unknown) => void errors.push(error),
    };
    const servers = [world.claret, await world.cluster.connect(), await world.cluster.connect()];
    const closers = servers.map((claret) => new Closer(claret, events));

    // opened while the closers run, not in the order of their ends, and one that stays open
    const ends = new Map<string, number>();
    for (const after_ms of [4_000, 500, 1_000, 500, 500]) {
      const closes_at_ms = Date.now() + after_ms;
      ends.set(await world.auction(seller, { closes_at_ms }), closes_at_ms);
    }
    const later = await world.auction(seller, { closes_at_ms: Date.now() + 60_000 });
    const [first] = ends.keys();
    await world.bids(first ?? '', bidder, 5_00);

    await vi.waitFor(() => expect(closedBy.length).toBeGreaterThanOrEqual(ends.size));
    await new Promise((resolve) => setTimeout(resolve, 400)); // time for a second closing to show
    await Promise.all(closers.map((closer) => closer.stop()));

    expect(errors).toEqual([]);
    expect(closedBy.map((one) => one.item_id).toSorted()).toEqual([...ends.keys()].toSorted());
    for (const { item_id, at_ms, winner } of closedBy) {
      const late_ms = at_ms - (ends.get(item_id) ?? 0);
      expect(late_ms).toBeGreaterThanOrEqual(0);
      expect(winner).toBe(item_id === first ? bidder.id : null);
    }
    expect(await viewAuction(world.claret, { item_id: later })).toMatchObject({ auction: { info: { status: 'open' } } });
  });

  test('settles sold-out and other auctions, with a piece for the winner if one is left, once each', async () => {
    const [seller, bidder, buyer] = [await world.person('s_pieces'), await world.person('b_pieces'), await world.person('buyer_pieces')];
    const pieces = { quantity: 2, buy_now_price_cents: 9_00, closes_at_ms: Date.now() + 4_000 };
    // No page shows the auction that sells out early, and its server has died: the closer finds it at its end.
    const [sold_out, one_left] = [await world.auction(seller, pieces), await world.auction(seller, pieces)];
    for (const item_id of [sold_out, one_left]) expect(await world.bids(item_id, bidder, 5_00)).toMatchObject({ refused: null });
    expect(await world.buys(sold_out, buyer, 2)).toMatchObject({ refused: null });
    expect(await world.buys(one_left, buyer, 1)).toMatchObject({ refused: null });
    const closed: [string, string | null, string][] = [];
    const events = {
      onClosed: (item_id: string, { winner, ended_by }: { winner: { id: string } | null; ended_by: string }) =>
        void closed.push([item_id, winner?.id ?? null, ended_by]),
    };
    const closers = [world.claret, await world.cluster.connect()].map((claret) => new Closer(claret, events));
    await vi.waitFor(() => expect(closed).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 400));
    await Promise.all(closers.map((closer) => closer.stop()));
    expect(closed.toSorted()).toEqual(
      [
        [sold_out, null, 'sold_out'],
        [one_left, bidder.id, 'time'],
      ].toSorted(),
    );
    for (const item_id of [sold_out, one_left]) {
      expect(await viewAuction(world.claret, { item_id })).toMatchObject({ auction: { info: { status: 'closed', left: 0 } } });
    }
  });

  test('closes auctions that ended while no server ran, also if there are more than one watch covers', async () => {
    const seller = await world.person('seller_2');
    const over = await Promise.all(Array.from({ length: 150 }, (_, i) => world.auction(seller, { closes_at_ms: Date.now() - 10_000 + i })));
    const closed = new Set<string>();
    const closer = new Closer(world.claret, { onClosed: (item_id) => void closed.add(item_id) });
    await vi.waitFor(() => expect(closed.size).toBe(over.length));
    await closer.stop();
    expect([...closed].toSorted()).toEqual(over.toSorted());
  });
});
