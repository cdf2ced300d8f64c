// Live streams over real connections, from two app servers on one cluster.
import type { App } from '@claret/site/http.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { ITEM_FIELDS } from '../actions/item-info.ts';
import { buildApp } from '../app.ts';
import type { LiveEvents } from '../api.ts';
import { key } from '../model.ts';
import { saleNoticeId } from '../standing.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';
import { LiveItems } from './items.ts';

const unexpected = (error: unknown): never => {
  throw error;
};
let world: World;
let first: App;
let second: App;
const readers: EventReader<LiveEvents>[] = [];

beforeAll(async () => {
  world = await startWorld();
  const listening = async () => {
    const app = await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST, auction_seconds_min: 1 });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return app;
  };
  [first, second] = [await listening(), await listening()];
});
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await world.stop();
});

function read(app: App, query: string, visitor?: Visitor, last_event_id?: string): EventReader<LiveEvents> {
  const reader = new EventReader<LiveEvents>(app, `/api/live${query}`, {
    ...(visitor?.cookie ? { cookie: visitor.cookie } : {}),
    ...(last_event_id === undefined ? {} : { 'last-event-id': last_event_id }),
  });
  readers.push(reader);
  return reader;
}

const bid = async (visitor: Visitor, item_id: string, amount_cents: number) => {
  const answer = await visitor.post(`/api/items/${item_id}/bids`, { amount_cents });
  expect(answer.raw.body).toContain('"accepted":true');
};

describe('A live stream', () => {
  test('shows an auction at once and then each bid, also one made at another app server', async () => {
    const seller = await new Visitor(first).register('seller_a');
    const bidder = await new Visitor(first).register('bidder_a');
    const item_id = await seller.sell();
    const reader = read(second, `?items=${item_id},nothing`);
    await vi.waitFor(() => expect(reader.last('item')?.item).toMatchObject({ id: item_id, price_cents: 10_00, bid_count: 0 }));
    expect(reader.events[0]).toMatchObject({ event: 'hello', data: { items: [item_id], unknown_items: ['nothing'], user: null } });
    await bid(bidder, item_id, 15_00);
    await vi.waitFor(() =>
      expect(reader.last('item')?.item).toMatchObject({
        price_cents: 15_00,
        bid_count: 1,
        min_next_bid_cents: 15_50,
        top_bids: [{ amount_cents: 15_00, bidder: { nickname: 'bidder_a' } }],
      }),
    );
    expect(reader.of('notice')).toEqual([]);
  });

  test('notifies a person that they lead, are outbid, and of the winner, without a request', async () => {
    const seller = await new Visitor(first).register('seller_b');
    const [one, two] = [await new Visitor(first).register('one_b'), await new Visitor(second).register('two_b')];
    const item_id = await seller.sell();
    const [ofOne, ofTwo, ofSeller] = [read(second, '', one), read(first, '', two), read(first, '', seller)];
    await vi.waitFor(() => expect([ofOne, ofTwo, ofSeller].every((reader) => reader.of('hello').length === 1)).toBe(true));

    await bid(one, item_id, 11_00);
    await vi.waitFor(() => expect(ofOne.last('standing')?.standing).toMatchObject({ standing: 'leading', my_bid_cents: 11_00 }));
    await bid(two, item_id, 12_00);
    await vi.waitFor(() => expect(ofOne.of('notice')).toMatchObject([{ kind: 'outbid', item_id, price_cents: 12_00 }]));
    expect(ofOne.last('standing')?.standing).toMatchObject({ standing: 'outbid', min_next_bid_cents: 12_50 });
    expect(ofTwo.of('notice')).toEqual([]);

    const { body } = await seller.get(`/api/items/${item_id}`);
    const { closes_at_ms } = body['live'] as { closes_at_ms: number };
    await closeAuction(world.claret, { item_id, now_ms: closes_at_ms });
    await vi.waitFor(() => {
      expect(ofOne.last('notice')).toMatchObject({ kind: 'lost' });
      expect(ofTwo.of('notice')).toMatchObject([{ kind: 'won', price_cents: 12_00 }]);
      expect(ofSeller.of('notice')).toMatchObject([{ kind: 'sold', price_cents: 12_00 }]);
    });
  });

  test('has no lost notice for the buyer of the last piece who had also bid, and neither has the inbox', async () => {
    const seller = await new Visitor(first).register('seller_last');
    const [buyer, bidder] = [await new Visitor(first).register('buyer_last'), await new Visitor(second).register('bidder_last')];
    const item_id = await seller.sell({ start_price_cents: 10_00, buy_now_price_cents: 25_00 });
    await bid(buyer, item_id, 12_00);
    await bid(bidder, item_id, 15_00);
    const [ofBuyer, ofBidder] = [read(first, '', buyer), read(second, '', bidder)];
    await vi.waitFor(() => expect([ofBuyer.of('standing').length, ofBidder.of('standing').length]).toEqual([1, 1]));
    expect((await buyer.post(`/api/items/${item_id}/buy`, { quantity: 1 })).status).toBe(201);
    await vi.waitFor(() => expect(ofBidder.last('notice')).toMatchObject({ kind: 'lost', tied: false }));
    await vi.waitFor(() => expect(ofBuyer.last('standing')?.standing).toMatchObject({ standing: 'bought' }));
    expect(ofBuyer.of('notice')).toEqual([]);
    const kinds = async (visitor: Visitor) =>
      ((await visitor.get('/api/me/inbox')).body['notices'] as { kind: string }[]).map(({ kind }) => kind);
    expect(await kinds(buyer)).toEqual(['bought']);
    expect(await kinds(bidder)).toEqual(['lost']);
    const mine = (await buyer.get('/api/me')).body as { lost: unknown[]; bought: unknown[] };
    expect([mine.lost.length, mine.bought.length]).toEqual([0, 1]);
    expect((await buyer.get(`/api/items/${item_id}`)).body['viewer']).toMatchObject({ standing: 'bought', bought_quantity: 1 });
  });

  test('tells the later of two equal bidders that the amount was bid before', async () => {
    const seller = await new Visitor(first).register('seller_tie');
    const [early, late] = [await new Visitor(first).register('early_tie'), await new Visitor(second).register('late_tie')];
    const item_id = await seller.sell({ start_price_cents: 10_00 });
    const ofLate = read(second, '', late);
    expect((await early.post(`/api/items/${item_id}/bids`, { amount_cents: 10_00, max_cents: 30_00 })).status).toBe(201);
    await bid(late, item_id, 30_00);
    await vi.waitFor(() => expect(ofLate.last('notice')).toMatchObject({ kind: 'outbid', tied: true, price_cents: 30_00 }));
    const [notice] = (await late.get('/api/me/inbox')).body['notices'] as { kind: string; tied: boolean }[];
    expect(notice).toMatchObject({ kind: 'outbid', tied: true });
  });

  test('notifies a seller of each purchase, also of one missed while away, under the same id as the inbox', async () => {
    const [seller, buyer] = [await new Visitor(first).register('seller_p'), await new Visitor(first).register('buyer_p')];
    const item_id = await seller.sell({ quantity: 4, buy_now_price_cents: 25_00 });
    const buys = async (quantity: number): Promise<string> => {
      const { status, body } = await buyer.post(`/api/items/${item_id}/buy`, { quantity });
      expect(status).toBe(201);
      return saleNoticeId(item_id, String(body['purchase_id']));
    };
    const early = await buys(1);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = read(second, '', seller);
    await vi.waitFor(() => expect(before.of('standing')).toHaveLength(1));
    const seen = await buys(1);
    await vi.waitFor(() => expect(before.of('notice')).toMatchObject([{ id: seen, kind: 'sold', price_cents: 25_00 }]));
    before.close();
    const missed = await buys(1);
    const after = read(first, '', seller, before.lastEventId);
    await vi.waitFor(() => expect(after.of('notice').map((one) => one.id)).toEqual([missed]));
    const inbox = (await seller.get('/api/me/inbox')).body['notices'] as { id: string }[];
    expect(inbox.map((one) => one.id)).toEqual([missed, seen, early]);
    const ofBuyer = read(second, `?items=${item_id}`, buyer);
    await vi.waitFor(() => expect(ofBuyer.last('item')?.item.buy_now).toEqual({ price_cents: 25_00, left: 1, withdrawn: false }));
  });

  test('is refused while too many auctions are followed, also unknown ones, but not for auctions followed already', async () => {
    const small = await buildApp({ claret: await world.cluster.connect(), password_cost: TEST_COST, live_auctions_max: 2 });
    await small.listen({ host: '127.0.0.1', port: 0 });
    const seller = await new Visitor(first).register('seller_full');
    const item_id = await seller.sell();
    const looks = read(small, `?items=${item_id}`);
    await vi.waitFor(() => expect(looks.of('item')).toHaveLength(1));
    const madeUp = read(small, '?items=nothing');
    await vi.waitFor(() => expect(madeUp.last('hello')?.unknown_items).toEqual(['nothing']));
    madeUp.close();
    const answer = await new Visitor(small).get(`/api/live?items=nothing2,${item_id}`);
    expect([answer.status, answer.body.code, answer.raw.headers['retry-after']]).toEqual([503, 'too_many_streams', '30']);
    const joins = read(small, `?items=${item_id}`);
    await vi.waitFor(() => expect(joins.of('item')).toHaveLength(1));
    for (const reader of [looks, joins]) reader.close();
    await small.close();
  });

  test('notifies of a bid that never led', async () => {
    const seller = await new Visitor(first).register('seller_c');
    const [high, low] = [await new Visitor(first).register('high_c'), await new Visitor(first).register('low_c')];
    const item_id = await seller.sell();
    const reader = read(first, '', low);
    await vi.waitFor(() => expect(reader.of('hello')).toHaveLength(1));
    await bid(high, item_id, 50_00);
    // as if it had been sent before the other was seen
    expect(await world.bids(item_id, { id: low.id, nickname: 'low_c' }, 20_00)).toMatchObject({ refused: null });
    await vi.waitFor(() => expect(reader.of('notice')).toMatchObject([{ kind: 'outbid', item_id, price_cents: 50_00 }]));
  });

  test('sends what was missed after a reconnect, and nothing else', async () => {
    const seller = await new Visitor(first).register('seller_d');
    const [one, two] = [await new Visitor(first).register('one_d'), await new Visitor(first).register('two_d')];
    const [missed, known] = [await seller.sell(), await seller.sell()];
    const before = read(first, '', one);
    for (const item_id of [missed, known]) await bid(one, item_id, 11_00);
    await bid(two, known, 12_00);
    await vi.waitFor(() => expect(before.of('notice')).toHaveLength(1));
    before.close();
    await bid(two, missed, 12_00);
    const after = read(second, '', one, before.lastEventId);
    await vi.waitFor(() => expect(after.of('standing')).toHaveLength(2));
    await vi.waitFor(() => expect(after.of('notice')).toMatchObject([{ kind: 'outbid', item_id: missed }]));
    // A newly opened page has missed nothing.
    const fresh = read(second, '', one);
    await vi.waitFor(() => expect(fresh.of('standing')).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(fresh.of('notice')).toEqual([]);
  });

  test('that ends before it has sent the viewer’s own auctions leaves them to the next stream', async () => {
    const claret = await world.cluster.connect();
    const slow = await buildApp({ claret, password_cost: TEST_COST });
    await slow.listen({ host: '127.0.0.1', port: 0 });
    try {
      const seller = await new Visitor(first).register('seller_between');
      const [one, two] = [await new Visitor(first).register('one_between'), await new Visitor(first).register('two_between')];
      const item_id = await seller.sell();
      await bid(one, item_id, 11_00);
      const before = read(first, '', one);
      await vi.waitFor(() => expect(before.last('standing')?.standing).toMatchObject({ standing: 'leading' }));
      before.close();
      await bid(two, item_id, 12_00);
      // A page that is changing to another stream: the server does not know the person's auctions yet.
      const watch = vi.spyOn(claret, 'watch').mockImplementation(() => ({ close: () => undefined }) as never);
      const between = read(slow, '', one, before.lastEventId);
      await vi.waitFor(() => expect(between.of('hello')).toHaveLength(1));
      await vi.waitFor(() => expect(between.lastEventId).not.toBe(''));
      between.close();
      watch.mockRestore();
      const after = read(second, '', one, between.lastEventId);
      await vi.waitFor(() => expect(after.of('notice')).toMatchObject([{ kind: 'outbid', item_id }]));
    } finally {
      await slow.close();
    }
  });

  test('skips states for a viewer who does not read, and ends with the newest', async () => {
    const seller = await new Visitor(first).register('seller_e');
    const bidder = await new Visitor(first).register('bidder_e');
    const item_id = await seller.sell();
    const reader = read(first, `?items=${item_id}`);
    await vi.waitFor(() => expect(reader.of('item').length).toBeGreaterThan(0));
    const ref = { id: bidder.id, nickname: 'bidder_e' };
    await Promise.all(Array.from({ length: 300 }, (_, i) => world.bids(item_id, ref, 11_00 + i)));
    await vi.waitFor(() => expect(reader.last('item')?.item).toMatchObject({ bid_count: 300, price_cents: 11_00 + 299 }));
    expect(reader.of('item').length).toBeLessThan(60);
  });

  test('reports when a shard is lost and when it is back', async () => {
    const lost = await startWorld();
    const app = await buildApp({ claret: lost.claret, password_cost: TEST_COST });
    await app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const reader = read(app, '');
      const visitor = new Visitor(app);
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: true }));
      lost.cluster.hosts[0]?.stop();
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: false }));
      expect((await visitor.get('/readyz')).status).toBe(503);
      lost.cluster.restart(0);
      await vi.waitFor(() => expect(reader.last('connection')).toMatchObject({ connected: true }));
      expect((await visitor.get('/readyz')).status).toBe(200);
    } finally {
      await app.close();
      await lost.stop();
    }
  });

  test('ends when its person logs out, and not when another person does', async () => {
    const [leaver, stayer] = [await new Visitor(first).register('leaver'), await new Visitor(first).register('stayer')];
    const [ofLeaver, ofStayer] = [read(second, '', leaver), read(second, '', stayer)];
    await vi.waitFor(() => expect([ofLeaver, ofStayer].every((reader) => reader.of('hello').length === 1)).toBe(true));
    await leaver.post('/api/logout');
    await ofLeaver.end;
    const item_id = await stayer.sell();
    await vi.waitFor(() => expect(ofStayer.last('standing')?.standing).toMatchObject({ item_id, standing: 'selling' }));
  });

  test('ends with its server', async () => {
    const app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const reader = read(app, '');
    expect(await reader.status).toBe(200);
    await app.close();
  });
});

test('A malformed record is logged and affects no other auction', async () => {
  const logged: string[] = [];
  const logger = { level: 'error', stream: { write: (line: string) => void logged.push(line) } };
  const app = await buildApp({ claret: world.claret, password_cost: TEST_COST, logger });
  await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const seller = await new Visitor(first).register('seller_m');
    const bidder = await new Visitor(first).register('bidder_m');
    const [broken, whole] = [await seller.sell(), await seller.sell()];
    await bid(bidder, broken, 15_00);
    await bid(bidder, whole, 15_00);
    const reader = read(app, `?items=${broken},${whole}`, bidder);
    await vi.waitFor(() => expect(reader.of('standing')).toHaveLength(2));
    await world.claret.transact('Test', [world.claret.on.topK(key.item_bids(broken)).add('no bid', 20_00)]);
    await vi.waitFor(() => expect(logged.join('')).toContain('not a bid: no bid'));
    await bid(bidder, whole, 30_00);
    await vi.waitFor(() => expect(reader.last('item')?.item).toMatchObject({ id: whole, price_cents: 30_00 }));
    const newcomer = read(app, `?items=${broken},${whole}`, bidder);
    await vi.waitFor(() => expect(newcomer.last('item')?.item).toMatchObject({ id: whole, price_cents: 30_00 }));
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(logged).toHaveLength(1);
  } finally {
    await app.close();
  }
});

describe('LiveItems', () => {
  test('watches each record once, however many viewers there are, and releases it without viewers', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const seller = await world.person('seller_f');
      const item_id = await world.auction(seller);
      const watch = vi.spyOn(world.claret, 'watch');
      const items = new LiveItems(world.claret, unexpected, unexpected);
      const followers = Array.from({ length: 50 }, () => items.topic(item_id).follow(() => undefined));
      expect(watch).toHaveBeenCalledTimes(4);
      expect(items.recordCount).toBe(4);
      for (const end of followers) end();
      const again = items.topic(item_id).follow(() => undefined);
      vi.advanceTimersByTime(60_000);
      expect(items.recordCount).toBe(4);
      expect(watch).toHaveBeenCalledTimes(4);
      again();
      vi.advanceTimersByTime(60_000);
      expect(items.recordCount).toBe(0);
      watch.mockRestore();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('Peeking at an auction', () => {
  test('finds one that was opened before, even if its watch does not know it yet', async () => {
    const item_id = await world.auction(await world.person('seller_late'));
    const watch = world.claret.watch.bind(world.claret);
    const late = vi.spyOn(world.claret, 'watch').mockImplementation((operations, listener, options) => {
      if (operations[0]?.key !== key.item_info(item_id)) return watch(operations, listener, options);
      listener({ value: ITEM_FIELDS.map(() => null), values: [ITEM_FIELDS.map(() => null)], at: 0n } as never);
      return watch(operations, (change) => setTimeout(() => listener(change), 100), options);
    });
    const items = new LiveItems(world.claret, unexpected, unexpected);
    try {
      expect(await items.peek(item_id)).toMatchObject({ item_id, info: { status: 'open' } });
      expect(await items.peek('nothing')).toBeNull();
    } finally {
      late.mockRestore();
      items.close();
    }
  });
});

describe('Knowing an auction', () => {
  test('asks for nothing, and tells what this server follows or has followed a moment ago', async () => {
    const item_id = await world.auction(await world.person('seller_known'), { quantity: 2, buy_now_price_cents: 25_00 });
    const items = new LiveItems(world.claret, unexpected, unexpected);
    try {
      expect([items.known(item_id), items.recordCount]).toEqual([null, 0]);
      const seen = await items.peek(item_id);
      const { recordCount } = items;
      expect(seen).toMatchObject({ item_id, left: 2 });
      expect(items.known(item_id)).toEqual(seen);
      await world.buys(item_id, await world.person('buyer_known'));
      await vi.waitFor(() => expect(items.known(item_id)).toMatchObject({ left: 1, purchases: [{ quantity: 1 }] }));
      expect(items.recordCount).toBe(recordCount);
    } finally {
      items.close();
    }
  });
});

describe('Notices', () => {
  test('never tell a leader that they are outbid, though their list is seen before their bid', async () => {
    const seller = await new Visitor(first).register('seller_g');
    const bidder = await new Visitor(first).register('bidder_g');
    const item_id = await seller.sell();
    const reader = read(second, '', bidder);
    await vi.waitFor(() => expect(reader.of('hello')).toHaveLength(1));
    // The two are on different shards, and the list arrives first.
    const list = world.claret.on.scoredSet(key.bidding(bidder.id));
    await world.claret.transact('Test', [list.add(item_id, Date.now() + 60 * 60_000)]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await bid(bidder, item_id, 15_00);
    await vi.waitFor(() => expect(reader.last('standing')?.standing).toMatchObject({ item_id, standing: 'leading' }));
    expect(reader.of('standing').map((one) => one.standing.standing)).not.toContain('outbid');
    expect(reader.of('notice')).toEqual([]);
  });
});
