// Secrets: only its own bidder sees a maximum, and no one sees a reserve.
import type { App } from '@claret/site/http.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { setWarranties } from '@claret/site/testing/warranties.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { closeAuction } from '../actions/close-auction.ts';
import { buildApp } from '../app.ts';
import type { LiveEvents } from '../api.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

const MAX_CENTS = 98_765_43;
const RESERVE_CENTS = 87_654_31;
const SECRETS = [String(MAX_CENTS), String(RESERVE_CENTS), '98765.43', '87654.31'];

// generous, for a loaded machine
const soon = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check);

let world: World;
let app: App;
const logged: string[] = [];

describe.each(['off', 'auto'] as const)('With warranties %s', (warranties) => {
  beforeAll(async () => {
    world = await startWorld();
    await setWarranties(world.cluster, warranties, world.claret);
    const logger = { level: 'trace', stream: { write: (line: string) => void logged.push(line) } };
    app = await buildApp({ claret: world.claret, password_cost: TEST_COST, logger });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await app.close();
    await world.stop();
  });

  test('Only its own bidder sees a maximum, and no one sees a reserve, while the auction runs and when it is over', async () => {
    const [seller, rich, rival] = (await Promise.all(
      ['seller', 'rich', 'rival'].map((nickname) => new Visitor(app).register(nickname)),
    )) as [Visitor, Visitor, Visitor];
    const stranger = new Visitor(app);
    const others = { seller, rival, stranger };
    const [secret_max, secret_reserve] = [
      await seller.sell({ title: 'Secret maximum' }),
      await seller.sell({ title: 'Secret reserve', reserve_price_cents: RESERVE_CENTS, buy_now_price_cents: 90_000_00 }),
    ];
    const items = [secret_max, secret_reserve];

    const readers: { who: string; reader: EventReader<LiveEvents> }[] = [];
    for (const [who, visitor] of Object.entries({ ...others, rich })) {
      const headers: Record<string, string> = visitor.cookie === null ? {} : { cookie: visitor.cookie };
      readers.push({ who, reader: new EventReader<LiveEvents>(app, `/api/live?items=${items.join(',')}`, headers) });
    }

    const heard: { by: string; what: string }[] = [];
    const leaks = (): string[] => heard.flatMap(({ by, what }) => (SECRETS.some((secret) => what.includes(secret)) ? [by] : []));
    const look = async (): Promise<void> => {
      const urls = [
        '/api/items',
        '/api/items?category=home',
        '/api/search?q=secret',
        '/api/me',
        '/api/me/inbox',
        `/api/users/${rich.id}`,
        `/api/users/${seller.id}`,
        ...items.flatMap((id) => [`/api/items/${id}`, `/api/items/${id}/page?visit=1`, `/api/items/${id}/bids`, `/public/items/${id}`]),
      ];
      // The third time, what is promised is in memory.
      for (let n = 0; n < 3; n++) {
        for (const [who, visitor] of Object.entries(others)) {
          for (const url of urls) heard.push({ by: `${who} ${url}`, what: (await visitor.get(url)).raw.body });
        }
      }
    };

    expect((await rich.post(`/api/items/${secret_max}/bids`, { amount_cents: 20_00, max_cents: MAX_CENTS })).status).toBe(201);
    expect((await rich.post(`/api/items/${secret_reserve}/bids`, { amount_cents: 20_00 })).status).toBe(201);
    await look();
    const overtaken = await rival.post(`/api/items/${secret_max}/bids`, { amount_cents: 30_00, max_cents: 50_00 });
    heard.push({ by: 'rival bids', what: overtaken.raw.body });
    const refused = await rival.post(`/api/items/${secret_max}/bids`, { amount_cents: 20_00 });
    heard.push({ by: 'rival bids too little', what: refused.raw.body });
    await soon(() => {
      for (const { reader } of readers) {
        expect(reader.of('item').some(({ item }) => item.id === secret_max && item.price_cents === 51_00)).toBe(true);
      }
    });
    await look();

    // The bidder sees the maximum on every path.
    expect((await rich.get(`/api/items/${secret_max}`)).body['viewer']).toMatchObject({ my_bid_cents: 51_00, my_max_cents: MAX_CENTS });
    expect((await rich.get('/api/me')).raw.body).toContain(String(MAX_CENTS));
    const own = readers.find(({ who }) => who === 'rich')?.reader;
    await soon(() => expect(own?.of('standing').some(({ standing }) => standing.my_max_cents === MAX_CENTS)).toBe(true));

    for (const item_id of items) await closeAuction(world.claret, { item_id, now_ms: Date.now() + 2 * 60 * 60_000 });
    await soon(() => {
      for (const { reader } of readers) expect(reader.of('item').filter(({ item }) => item.status === 'closed')).toHaveLength(2);
    });
    await look();
    expect((await stranger.get(`/api/items/${secret_max}`)).body['live']).toMatchObject({
      price_cents: 51_00,
      winner: { nickname: 'rich' },
    });
    expect((await stranger.get(`/api/items/${secret_reserve}`)).body['live']).toMatchObject({
      winner: null,
      reserve: 'not_met',
      price_cents: 20_00,
    });

    for (const { who, reader } of readers) {
      if (who !== 'rich') heard.push({ by: `${who} live`, what: JSON.stringify(reader.events) });
      reader.close();
    }
    for (const line of logged) heard.push({ by: 'the log', what: line });
    expect(logged.length).toBeGreaterThan(10);
    expect(heard.length).toBeGreaterThan(100);
    expect(leaks()).toEqual([]);
    // Others do not even see its amount: each bid is shown no higher than the price.
    const { body } = await stranger.get(`/api/items/${secret_max}/bids`);
    expect(body['bids']).toMatchObject([
      { amount_cents: 51_00, bidder: { nickname: 'rich' } },
      { amount_cents: 50_00, bidder: { nickname: 'rival' } },
    ]);
  });
});
