// Two app servers whose clocks are 30 s apart, and a cluster whose clock is neither's: time is the cluster's.
import type { App } from '@claret/site/http.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { wrongClock } from '@claret/site/testing/wrong-clock.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { buildApp } from './app.ts';
import { Closer } from './closer.ts';
import { Visitor } from './testing/visitor.ts';
import { startWorld, type World } from './testing/world.ts';

// What a server's own clock shows while it runs code that should not ask it.
const AHEAD_MS = [-15_000, 15_000];
let world: World;
let servers: { app: App; closer: Closer }[];
const closedBy: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  servers = [];
  for (const [i, ahead_ms] of AHEAD_MS.entries()) {
    const claret = await world.cluster.connect({ environment: wrongClock(ahead_ms) });
    const app = await buildApp({ claret, password_cost: TEST_COST, auction_seconds_min: 1 });
    servers.push({ app, closer: new Closer(claret, { onClosed: (item_id) => void closedBy.push(`${item_id} by ${i}`) }) });
  }
});
afterAll(async () => {
  await Promise.all(servers.map(({ closer }) => closer.stop()));
  await Promise.all(servers.map(({ app }) => app.close()));
  await world.stop();
});

// The process has one Date for both servers, so it shows a third time: none of them may use it.
const realNow = Date.now;
const wall = () => performance.timeOrigin + performance.now();
beforeEach(() => void vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 90_000));
afterEach(() => void vi.restoreAllMocks());

type Live = {
  status: string;
  closes_at_ms: number;
  closed_at_ms: number;
  top_bids: { bidder: { nickname: string }; placed_at_ms: number }[];
};
const liveOf = async (visitor: Visitor, item_id: string) => (await visitor.get(`/api/items/${item_id}`)).body['live'] as Live;
const [slow, fast] = [() => servers[0]!.app, () => servers[1]!.app];

test.each([
  ['slow', slow],
  ['fast', fast],
])('an auction that is opened at the %s server ends when it says', async (name, opener) => {
  const seller = await new Visitor(opener()).register(`end_${name}`);
  const bidder = await new Visitor(fast()).register(`bids_${name}`);
  const before_ms = wall();
  const item_id = await seller.sell({ duration_minutes: undefined, duration_seconds: 8 });
  const { closes_at_ms } = await liveOf(seller, item_id);
  expect(closes_at_ms).toBeGreaterThan(before_ms + 7_000);
  expect(closes_at_ms).toBeLessThanOrEqual(wall() + 8_000);
  for (const [i, at] of [slow, fast].entries()) {
    expect((await bidder.at(at()).post(`/api/items/${item_id}/bids`, { amount_cents: 20_00 + i * 10_00 })).status).toBe(201);
  }
  await vi.waitFor(async () => expect(await liveOf(seller, item_id)).toMatchObject({ status: 'closed' }));
  expect(wall()).toBeGreaterThanOrEqual(closes_at_ms);
  const { closed_at_ms, top_bids } = await liveOf(seller, item_id);
  expect(closed_at_ms).toBeGreaterThanOrEqual(closes_at_ms);
  expect(top_bids).toHaveLength(2);
  for (const { placed_at_ms } of top_bids) {
    expect(placed_at_ms).toBeGreaterThanOrEqual(closes_at_ms - 8_500);
    expect(placed_at_ms).toBeLessThan(closes_at_ms);
  }
  expect(closedBy.filter((one) => one.startsWith(item_id))).toHaveLength(1);
});

test('of equal maxima the first that was committed leads, whichever servers took them', async () => {
  const seller = await new Visitor(slow()).register('tie_seller');
  for (const [one, other] of [
    [fast, slow],
    [slow, fast],
  ] as const) {
    const name = one === fast ? 'fast' : 'slow';
    const [first, second] = [await new Visitor(one()).register(`tie_1_${name}`), await new Visitor(other()).register(`tie_2_${name}`)];
    const item_id = await seller.sell();
    const url = `/api/items/${item_id}/bids`;
    expect((await first.post(url, { amount_cents: 20_00, max_cents: 50_00 })).status).toBe(201);
    expect((await second.post(url, { amount_cents: 30_00, max_cents: 50_00 })).status).toBe(201);
    const { top_bids } = await liveOf(seller, item_id);
    expect(top_bids.map(({ bidder }) => bidder.nickname)).toEqual([`tie_1_${name}`, `tie_2_${name}`]);
  }
});

test('pages are told the cluster’s time by each server', async () => {
  for (const { app } of servers) {
    const visitor = new Visitor(app);
    for (const url of ['/api/session', '/api/conditions', '/api/items', '/api/popular']) {
      const { body } = await visitor.get(url);
      expect(Math.abs(Number(body['server_time_ms']) - wall()), url).toBeLessThan(5_000);
    }
  }
});
