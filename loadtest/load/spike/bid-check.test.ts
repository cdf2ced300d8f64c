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

it('bids that are all there are no mismatch, with those of visitors among them', async () => {
  const check = new BidCheck('whole', bidders);
  for (const [id, , cents] of many) check.accepted(id, cents);
  check.unsure('perhaps');
  await store('whole', [...many, ['perhaps', 'a', 5_000], ['visit', 'visitor', 6_000]]);
  expect(await check.mismatches(claret)).toEqual([]);
});

it('a bid that is lost, one that nobody made, another amount and a wrong count are told', async () => {
  const check = new BidCheck('broken', bidders);
  for (const [id, , cents] of many) check.accepted(id, cents);
  await store(
    'broken',
    many.filter(([id]) => id !== 'n1990').map(([id, who, cents]) => [id, who, id === 'n1991' ? cents + 1 : cents]),
  );
  await store('broken', [['made-up', 'b', 9_000]], 0);
  expect(await check.mismatches(claret)).toEqual([
    'auction broken: bid n1990 of 2090 cents was accepted and is not listed',
    'auction broken: bid made-up of 9000 cents is listed and was never accepted',
    'auction broken: bid n1991 of 2092 cents is listed and was never accepted',
    'auction broken: 1999 bids are counted; accepted were 2000',
  ]);
});
