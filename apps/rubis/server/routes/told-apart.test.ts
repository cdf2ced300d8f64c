// Two auctions that differ only in secrets look the same to others: in answers, headers, costs and live events.
import type { App } from '@claret/site/http.ts';
import { EventReader } from '@claret/site/testing/event-reader.ts';
import { TEST_COST, type Answer } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { bid, newBidId } from '../actions/bid.ts';
import { LIMITS, type LiveEvents } from '../api.ts';
import { buildApp } from '../app.ts';
import { Visitor } from '../testing/visitor.ts';
import { startWorld, type World } from '../testing/world.ts';

type Bid = [who: 'rich' | 'rival', amount_cents: number, max_cents?: number];
type Auction = { reserve_price_cents?: number; bids: Bid[] };

let world: World;
let app: App;
let seller: Visitor;
let rich: Visitor;
let rival: Visitor;
beforeAll(async () => {
  world = await startWorld();
  app = await buildApp({ claret: world.claret, password_cost: TEST_COST });
  await app.listen({ host: '127.0.0.1', port: 0 });
  [seller, rich, rival] = (await Promise.all(['seller', 'rich', 'rival'].map((name) => new Visitor(app).register(name)))) as [
    Visitor,
    Visitor,
    Visitor,
  ];
});
afterAll(async () => {
  await app.close();
  await world.stop();
});

let pair = 0;

/** Opens both auctions, makes the bids on both, and returns all that visitors other than `rich` see of each. */
async function toldOf(one: Auction, other: Auction): Promise<[unknown, unknown]> {
  pair++;
  const tell = async (auction: Auction, word: string) => {
    const { bids, ...terms } = auction;
    const item_id = await seller.sell({ title: word, ...terms });
    const people = { rich: { id: rich.id, nickname: 'rich' }, rival: { id: rival.id, nickname: 'rival' } };
    const answers: unknown[] = [];
    const others = [seller, rival, new Visitor(app)];
    const readers = others.map(
      ({ cookie }) => new EventReader<LiveEvents>(app, `/api/live?items=${item_id}`, cookie === null ? {} : { cookie }),
    );
    const plain = (text: string) =>
      text
        .replaceAll(/"id":"[^"]+","nickname"/g, '"nickname"')
        .replaceAll(item_id, 'ITEM')
        .replaceAll(word, 'TITLE')
        .replaceAll(/"[0-9a-f]{16}"|\.[0-9a-f]{16}\b/g, 'BID')
        .replaceAll(/\b1[0-9]{12}\b/g, '0');
    const answered = (answer: Answer) => {
      const { date: _, 'content-length': __, 'claret-cost': cost = '[]', ...headers } = answer.raw.headers;
      const costs = (JSON.parse(String(cost)) as { label: string; count: number; operations: number }[]).map(
        ({ label, count, operations }) => `${label} ${count} ${operations}`,
      );
      return { status: answer.status, headers, body: plain(answer.raw.body), costs: costs.toSorted() };
    };
    for (const [i, [who, amount_cents, max_cents]] of bids.entries()) {
      const placed = await bid(world.claret, {
        item_id,
        bidder: people[who],
        amount_cents,
        ...(max_cents === undefined ? {} : { max_cents }),
        placed_at_ms: Date.now(),
        bid_id: newBidId(),
      });
      expect(placed.refused).toBeNull();
      if (i < bids.length - 1 && i > 2) continue;
      for (const url of [`/items/${item_id}`, `/items/${item_id}/page`, `/items/${item_id}/bids`, `/search?q=${word}`])
        for (const visitor of others) answers.push(answered(await visitor.get(`/api${url}`)));
    }
    // The newest of each name: how many states a stream skips depends on timing.
    const newest = (reader: EventReader<LiveEvents>) => [
      reader.last('item')?.item,
      reader.of('standing').findLast(({ standing }) => standing.item_id === item_id)?.standing,
    ];
    const takesPart = [true, bids.some(([who]) => who === 'rival'), false];
    const events = [];
    for (const [i, reader] of readers.entries()) {
      const count = { bid_count: bids.length };
      await vi.waitFor(() => expect(newest(reader)).toMatchObject(takesPart[i] ? [count, count] : [count, undefined]));
      events.push(plain(JSON.stringify(newest(reader))));
    }
    // By now this server has seen everything: its answer to a bid that is too low.
    answers.push(answered(await rival.post(`/api/items/${item_id}/bids`, { amount_cents: 1 })));
    for (const reader of readers) reader.close();
    return { answers, events };
  };
  return [await tell(one, `onepair${pair}`), await tell(other, `twopair${pair}`)];
}

const many = (last_max_cents: number): Bid[] =>
  Array.from({ length: LIMITS.bid_history_max + 2 }, (_, i): Bid => [
    'rich',
    20_00 + i * 1_00,
    i > LIMITS.bid_history_max ? last_max_cents : 20_00 + i * 1_00,
  ]);

const pairs: [what: string, one: Auction, other: Auction][] = [
  ['with or without a maximum of the leader', { bids: [['rich', 20_00]] }, { bids: [['rich', 20_00, 500_00]] }],
  [
    'with different maxima of the leader, and a rival',
    {
      bids: [
        ['rich', 20_00, 400_00],
        ['rival', 30_00],
      ],
    },
    {
      bids: [
        ['rich', 20_00, 9_000_00],
        ['rival', 30_00],
      ],
    },
  ],
  ['with more bids of one leader than a page shows', { bids: many(71_00) }, { bids: many(8_000_00) }],
  [
    'with different reserves that are not met',
    {
      reserve_price_cents: 900_00,
      bids: [
        ['rich', 20_00, 50_00],
        ['rival', 25_00],
      ],
    },
    {
      reserve_price_cents: 7_000_00,
      bids: [
        ['rich', 20_00, 50_00],
        ['rival', 25_00],
      ],
    },
  ],
];
test.each(pairs)('Two auctions %s look the same to others', async (_what, one, other) => {
  const [first, second] = await toldOf(one, other);
  expect(first).toEqual(second);
});

test('The comparison detects an additional bid and a reserve that is met', async () => {
  const [first, second] = await toldOf(
    { bids: [['rich', 20_00]] },
    {
      bids: [
        ['rich', 20_00],
        ['rival', 25_00],
      ],
    },
  );
  expect(first).not.toEqual(second);
  const [third, fourth] = await toldOf(
    { reserve_price_cents: 40_00, bids: [['rich', 20_00, 50_00]] },
    { reserve_price_cents: 60_00, bids: [['rich', 20_00, 50_00]] },
  );
  expect(third).not.toEqual(fourth);
});
