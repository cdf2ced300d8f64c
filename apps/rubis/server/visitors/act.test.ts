// The simulated visitors, on a data set.
import { Random } from '@claret/site/data/random.ts';
import { actRepeatedly } from '@claret/site/visitors/visitors.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { browse } from '../actions/browse.ts';
import { viewAuction } from '../actions/view-auction.ts';
import { generate } from '../data/generate.ts';
import { storeDataSet } from '../data/store.ts';
import { startWorld, type World } from '../testing/world.ts';
import { actOnce, mostFor } from './act.ts';

let world: World;
const now_ms = Date.now();
beforeAll(async () => {
  world = await startWorld();
  await storeDataSet(world.claret, generate('small', 3), { now_ms, demo_credentials: null });
});
afterAll(() => world.stop());

async function auctions() {
  const ids: string[] = [];
  let after: Awaited<ReturnType<typeof browse>>['next'] = null;
  do {
    const page: Awaited<ReturnType<typeof browse>> = await browse(world.claret, { category_id: null, region_id: null, now_ms, after });
    ids.push(...page.items.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  const viewed = await Promise.all(ids.map((item_id) => viewAuction(world.claret, { item_id })));
  return viewed.flatMap((one) => (one.refused === null ? [one.auction] : []));
}

test('Visitors bid now and then, as people without a password, and never above an item’s value or its Buy now price', async () => {
  const before = new Map((await auctions()).map((one) => [one.item_id, one.bid_count]));
  const random = new Random(7);
  for (let i = 0; i < 80; i++) await actOnce(world.claret, random);
  const after = await auctions();
  const changed = after.filter((one) => one.bid_count > (before.get(one.item_id) ?? 0));
  expect(changed.length).toBeGreaterThan(5);
  for (const auction of changed) {
    for (const bid of auction.bids.filter(({ placed_at_ms }) => placed_at_ms >= now_ms)) {
      expect(bid.max_cents).toBeLessThanOrEqual(mostFor(auction));
      expect(bid.max_cents).toBeLessThan(auction.info.buy_now_price_cents ?? Infinity);
      expect(bid.bidder.nickname).not.toMatch(/^demo/);
      expect(bid.bidder.id).not.toBe(auction.info.seller.id);
      expect(bid.placed_at_ms).toBeLessThan(auction.info.closes_at_ms - 20_000);
    }
  }
});

test('Visitors stop on a signal', async () => {
  const stop = new AbortController();
  let acts = 0;
  await actRepeatedly(async () => void (++acts === 2 && stop.abort()), 1, new Random(1), stop.signal);
  expect(acts).toBe(2);
});
