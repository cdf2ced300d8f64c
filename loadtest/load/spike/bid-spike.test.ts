// The spike's bidders follow the auction's rules, as people must.
import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { bid, newBidId } from '../../../apps/rubis/server/actions/bid.ts';
import { newUser } from '../../../apps/rubis/server/actions/new-user.ts';
import { REGIONS } from '../../../apps/rubis/server/data/regions.ts';
import { key, minNextBid } from '../../../apps/rubis/server/model.ts';
import { LOOK_EVERY_MS, bidSpike } from './bid-spike.ts';
import { randomFrom } from '../../kit/random.ts';

it('each bid is an increment to two above the price seen last, also after a visitor’s bid', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect({ name: 'spike' });
  try {
    const spike = await bidSpike(claret, { seconds: 600, clients: 4, alpha: 1, update: 0.5, random: randomFrom(7) });
    const item_id = spike.page!.path.split('/').at(-1)!;
    const RUNS = 500;
    /** Returns how many of the runs may have seen the price at most. */
    const placeBids = async () => {
      const startMs = performance.now();
      for (let i = 0; i < RUNS; i++) await spike.run(claret);
      return 1 + Math.ceil((performance.now() - startMs) / LOOK_EVERY_MS);
    };
    const looksBefore = await placeBids();
    const joined = await newUser(claret, { nickname: 'visitor', region_id: REGIONS[0]!.id, credentials: null, created_at_ms: Date.now() });
    if (joined.refused !== null) throw new Error(joined.refused);
    await bid(claret, {
      item_id,
      bidder: { id: joined.user_id, nickname: 'visitor' },
      amount_cents: 5_000_00,
      placed_at_ms: Date.now(),
      bid_id: newBidId(),
    });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS + 50)); // enough for a bidder to look
    const looks = await placeBids();
    const [listed] = await claret.transact('Bids', [claret.on.topK(key.item_bids(item_id)).top(128)]);
    const [highest, lowest] = [listed[0]![1], listed.at(-1)![1]];
    expect(lowest, 'all that are listed came after the visitor’s').toBeGreaterThanOrEqual(5_100_00);
    let most = 5_000_00;
    for (let look = 0; look < looks; look++) most = minNextBid(0, minNextBid(0, most));
    expect(highest, 'hundreds of bids raise the price by the looks between them').toBeLessThanOrEqual(most);
    // A count is given up soon.
    let { acknowledged, stored } = await spike.count!(claret);
    while (stored === null) ({ acknowledged, stored } = await spike.count!(claret));
    expect(acknowledged + looksBefore + looks, 'few other runs are looks').toBeGreaterThan(1.7 * RUNS);
    expect(stored).toBe(acknowledged + 1);
    expect((await spike.check(claret)).mismatches).toEqual([]);
  } finally {
    await cluster.stop();
  }
});
