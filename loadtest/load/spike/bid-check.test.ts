import { inProcessCluster } from '@claret/client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Claret } from '@claret/client';
import type { InProcessCluster } from '@claret/client/testing';
import { bidItem, key } from '../../../apps/rubis/server/model.ts';
import { BidCheck } from './bid-check.ts';

let cluster: InProcessCluster;
let claret: Claret;
beforeAll(async () => {
  cluster = await inProcessCluster({ shards: 2 });
  claret = await cluster.connect();
});
afterAll(() => cluster.stop());

/** Stores bids [id, bidder, cents], and counts them. */
async function store(item_id: string, bids: readonly (readonly [string, string, number])[], counted = bids.length): Promise<void> {
  const { on } = claret;
  await claret.transact('Store', [
    on.counter(key.item_bid_count(item_id)).add(counted),
    ...bids.map(([id, bidder_id, cents]) =>
      on.topK(key.item_bids(item_id)).add(bidItem({ id, bidder_id, bidder_nickname: bidder_id, placed_at_ms: 1 }), cents),
    ),
  ]);
}

const bidders = new Set(['a', 'b']);
const many = Array.from({ length: 2_000 }, (_, i) => [`n${i}`, i % 2 === 0 ? 'a' : 'b', 100 + i] as const);

it("complete bids are no mismatch, with visitors' bids among them", async () => {
  const check = new BidCheck('whole', bidders);
  for (const [id, bidder_id, amount_cents] of many) check.accepted({ id, bidder_id, amount_cents });
  check.unsure({ id: 'perhaps', bidder_id: 'a', amount_cents: 5_000 });
  await store('whole', [...many, ['perhaps', 'a', 5_000], ['visit', 'visitor', 6_000]]);
  expect((await check.check(claret)).mismatches).toEqual([]);
});

it('of more equal bids than are listed, any may be listed', async () => {
  const check = new BidCheck('equal', bidders);
  const equal = many.map(([id, bidder_id], i) => [`e${id}`, bidder_id, 100 + Math.floor(i / 500)] as const);
  for (const [id, bidder_id, amount_cents] of equal) check.accepted({ id, bidder_id, amount_cents });
  await store('equal', equal);
  expect((await check.check(claret)).mismatches).toEqual([]);
});

it('a lost bid, one that nobody made, a wrong amount and a wrong count are reported', async () => {
  const check = new BidCheck('broken', bidders);
  for (const [id, bidder_id, amount_cents] of many) check.accepted({ id, bidder_id, amount_cents });
  await store(
    'broken',
    many.filter(([id]) => id !== 'n1990').map(([id, who, cents]) => [id, who, id === 'n1991' ? cents + 1 : cents]),
  );
  await store('broken', [['made-up', 'b', 9_000]], 0);
  const list = key.item_bids('broken');
  expect((await check.check(claret)).mismatches).toEqual([
    `bids: ${list}: expected bids of the ledger, found made-up of 9000 cents up to 9000 by b, which is none`,
    `bids: ${list}: expected bid n1991 of 2091 cents up to 2091 by b, found it of 2092 cents up to 2092 by b`,
    expect.stringContaining(`bids: ${list}: expected bid n1990 of 2090 cents up to 2090 by a, found none; the highest is of `),
    `bids: ${key.item_bid_count('broken')}: expected at least 2000 (0 before, 2000 accepted, 0 unknown), found 1999`,
  ]);
});
