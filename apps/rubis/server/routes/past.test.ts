// An auction as it was, over the routes of a real app server.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { DAY_MS, startWorld, type World } from '../testing/world.ts';

let world: World;
let app: App;
let stranger: Visitor;

beforeAll(async () => {
  world = await startWorld({ shardOptions: { pastMs: 600_000 } });
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  stranger = new Visitor(app);
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

const past = (item_id: string, at_ms: number) => stranger.get(`/api/items/${item_id}/past?at_ms=${at_ms}`);
/** A moment that everything before and nothing after is told apart from. */
async function moment(): Promise<number> {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
  await pause();
  const at_ms = Math.round(world.claret.clock.nowMs());
  await pause();
  return at_ms;
}

test('An auction is told as it was before, between and after its bids, and once it has ended', async () => {
  const [seller, one, other] = [await world.person('seller'), await world.person('one'), await world.person('other')];
  const unborn = await moment();
  const item_id = await world.auction(seller, { start_price_cents: 1_00 });
  const moments = [await moment()];
  await world.bids(item_id, one, 5_00, 20_00);
  moments.push(await moment());
  await world.bids(item_id, other, 9_00);
  moments.push(await moment());
  await closeAuction(world.claret, { item_id, now_ms: Date.now() + 2 * DAY_MS });
  moments.push(await moment());
  const seen = await Promise.all(moments.map((at_ms) => past(item_id, at_ms)));
  expect(seen.map(({ status, body }) => [status, body['status'], body['price_cents'], body['bid_count']])).toEqual([
    [200, 'open', 1_00, 0],
    [200, 'open', 5_00, 1],
    [200, 'open', 9_50, 2],
    [200, 'closed', 9_50, 2],
  ]);
  expect(seen[1]!.body).toMatchObject({ item_id, at_ms: moments[1], bids: [{ amount_cents: 5_00, bidder: { nickname: 'one' } }] });
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain('2000');
  expect(await past(item_id, unborn)).toMatchObject({ status: 404, body: { code: 'unknown_item' } });
});

test('A moment that has not come, and one that is not known any more, are refused in words', async () => {
  const item_id = await world.auction(await world.person('late'));
  expect(await past(item_id, Date.now() + 60_000)).toMatchObject({ status: 400, body: { code: 'past_to_come' } });
  const forgetful = await startWorld();
  const other = await buildApp({ claret: forgetful.claret, password_cost: TEST_COST });
  try {
    const item = await forgetful.auction(await forgetful.person('seller'));
    const at_ms = await moment();
    await forgetful.bids(item, await forgetful.person('one'), 5_00);
    expect(await new Visitor(other).get(`/api/items/${item}/past?at_ms=${at_ms}`)).toMatchObject({
      status: 410,
      body: { code: 'past_gone' },
    });
    // A present that is not the past of its shard yet.
    const present = () => new Visitor(other).get(`/api/items/${item}/past?at_ms=${Math.ceil(forgetful.claret.clock.nowMs())}`);
    await vi.waitFor(async () => expect(await present()).toMatchObject({ status: 200, body: { bid_count: 1 } }));
  } finally {
    await other.close();
    await forgetful.stop();
  }
});
