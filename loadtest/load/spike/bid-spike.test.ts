// The spike's bidders follow the auction's rules, as people must.
import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { bid, newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { newUser } from '../../../apps/rubis/server/actions/new-user.ts';
import { REGIONS } from '../../../apps/rubis/server/data/regions.ts';
import { key, minNextBid } from '../../../apps/rubis/server/model.ts';
import { bidSpike } from './bid-spike.ts';
import { randomFrom } from '../../kit/random.ts';

it('each bid is at least an increment above the price, including a visitor’s bid', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect({ name: 'spike' });
  try {
    const spike = await bidSpike(claret, { seconds: 60, clients: 4, alpha: 1, update: 0.5, random: randomFrom(7) });
    const item_id = spike.page!.path.split('/').at(-1)!;
    const placeBid = async () => {
      for (let i = 0; i < 50; i++) await spike.run(claret);
    };
    await placeBid();
    const joined = await newUser(claret, { nickname: 'visitor', region_id: REGIONS[0]!.id, credentials: null, created_at_ms: Date.now() });
    if (joined.refused !== null) throw new Error(joined.refused);
    await bid(claret, {
      item_id,
      bidder: { id: joined.user_id, nickname: 'visitor' },
      amount_cents: 5_000_00,
      placed_at_ms: Date.now(),
      bid_id: newBidId(),
    });
    await new Promise((resolve) => setTimeout(resolve, 300)); // enough for a bidder to look
    await placeBid();
    const [listed] = await claret.transact('Bids', [claret.on.topK(key.item_bids(item_id)).top(128)]);
    const prices = listed.map(([, amount_cents]) => amount_cents).sort((one, other) => one - other);
    expect(prices.length).toBeGreaterThan(80);
    for (const [i, cents] of prices.slice(1).entries()) expect(cents).toBeGreaterThanOrEqual(minNextBid(100, prices[i]!));
    expect(prices).toContain(5_000_00);
    expect(await spike.mismatches(claret)).toEqual([]);
  } finally {
    await cluster.stop();
  }
});
