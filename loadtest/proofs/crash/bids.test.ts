// The check of bids against a real store: correct bids pass, and each kind of wrong bid is found.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Claret } from '@claret/client';
import { bid } from '../../../apps/rubis/server/actions/bid.ts';
import { openAuction } from '../../../apps/rubis/server/actions/open-auction.ts';
import { bidItem, key } from '../../../apps/rubis/server/model.ts';
import { inProcessCluster, type InProcessCluster } from '@claret/client/testing';
import { BidLedger, type BidTold } from './bids.ts';

let cluster: InProcessCluster;
let claret: Claret;
let numbers = 0;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect({ name: 'test' });
});
afterAll(() => cluster.stop());

/** An auction with two accepted bids, and their ledger. */
async function auction() {
  const seller = { id: 'seller', nickname: 'seller' };
  const { item_id } = await openAuction(claret, {
    title: 'Lantern',
    description: '',
    category_id: 'c',
    region_id: 'r',
    seller,
    start_price_cents: 1,
    opened_at_ms: 0,
    closes_at_ms: 9e12,
  });
  const ledger = new BidLedger();
  const tell = (bidder_id: string, amount_cents: number, outcome: BidTold['outcome']) =>
    ledger.take({ item_id, bidder_id, amount_cents, outcome });
  const make = (id: string, amount_cents: number) =>
    bid(claret, { item_id, bidder: { id, nickname: id }, amount_cents, placed_at_ms: 1, bid_id: `b${++numbers}` });
  const [ann, bob] = [`ann${++numbers}`, `bob${++numbers}`];
  for (const [id, amount] of [
    [ann, 100],
    [bob, 200],
  ] as const) {
    await make(id, amount);
    tell(id, amount, 'accepted');
  }
  return { item_id, ledger, tell, make, ann, mismatches: () => ledger.mismatches(claret, [item_id]) };
}

test('accepted bids that are stored pass, and so do bids with an unknown outcome', async () => {
  const { ledger, tell, make, ann, mismatches } = await auction();
  await make(ann, 300);
  tell(ann, 300, 'unknown');
  tell(ann, 400, 'unknown');
  tell(ann, 500, 'begun');
  tell(ann, 600, 'refused');
  expect(await mismatches()).toEqual([]);
  expect(ledger).toMatchObject({ accepted: 2, checked: 2 });
});

test('an accepted bid that is missing is lost', async () => {
  const { tell, ann, mismatches } = await auction();
  tell(ann, 300, 'accepted');
  expect(await mismatches()).toEqual([
    expect.stringContaining(`:bids: expected bid  of 300 cents up to 300 by ${ann}, the highest that was accepted, found none`),
    expect.stringContaining(':bid_count: expected 3 (0 before, 3 accepted, 0 unknown), found 2'),
  ]);
});

test('a bid that is only on the shard of the item, or only on that of the bidder, is partial', async () => {
  const { item_id, tell, mismatches } = await auction();
  const [cat, dan] = [`cat${++numbers}`, `dan${++numbers}`];
  const item = bidItem({ id: 'x', bidder_id: cat, bidder_nickname: cat, placed_at_ms: 1 });
  await claret.transact('Half', [
    claret.on.topK(key.item_bids(item_id)).add(item, 300),
    claret.on.scoredSet(key.bidding(dan)).add(item_id, 1),
  ]);
  tell(cat, 300, 'accepted');
  tell(dan, 400, 'unknown');
  const found = await mismatches();
  expect(found).toEqual([
    `${key.item_bid_count(item_id)}: expected 3 to 4 (0 before, 3 accepted, 1 unknown), found 2`,
    `${key.item_bids(item_id)}: expected 2 bids, of 2 counted, found 3`,
    `${key.bidding(cat)}: expected ${item_id}, found nothing`,
    `${key.bidding(dan)}: expected no ${item_id}, on which they have no bid, found it at 1`,
  ]);
});

test('a bid that is stored twice, was refused or was never made is reported', async () => {
  const { tell, make, ann, mismatches } = await auction();
  await make(ann, 100);
  await make(ann, 300);
  tell(ann, 300, 'refused');
  await make(ann, 400);
  const found = (await mismatches()).join('\n');
  expect(found).toMatch(/found b\d+ of 300 cents up to 300 by ann\d+, which was refused/);
  expect(found).toMatch(/found b\d+ of 400 cents up to 400 by ann\d+, which is none/);
  // The second bid of 100 cents.
  expect(found).toMatch(/found b\d+ of 100 cents up to 100 by ann\d+, which is none/);
  expect(found).toMatch(/bid_count: expected 2 \(0 before, 2 accepted, 0 unknown\), found 5/);
});
