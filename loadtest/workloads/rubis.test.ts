import { inProcessCluster } from '@claret/client/testing';
import { expect, it } from 'vitest';
import { randomFrom } from './random.ts';
import { Rubis } from './rubis.ts';

it('rubis keeps every accepted bid, with both mixes, while auctions close and others open', async () => {
  const cluster = await inProcessCluster({ shards: 2 });
  const claret = await cluster.connect();
  for (const mix of ['bid-heavy', 'read-heavy'] as const) {
    const rubis = new Rubis({ mix, items: 200, horizon_seconds: 0.5 }, randomFrom(5));
    await rubis.load(claret);
    const worker = async () => {
      for (let i = 0; i < 150; i++) await rubis.run(claret);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    const counts = [...rubis.accepted.values()].map(({ count }) => count).sort((a, b) => b - a);
    const bids = counts.reduce((sum, count) => sum + count, 0);
    expect(bids).toBeGreaterThan(mix === 'bid-heavy' ? 300 : 50);
    expect(counts[0]).toBeGreaterThan(2 * counts[Math.floor(counts.length / 2)]!);
    const [item_id, { count, highest_cents }] = [...rubis.accepted].find(([, bids]) => bids.count > 1)!;
    rubis.accepted.set(item_id, { count: count - 1, highest_cents });
    expect(await rubis.mismatches(claret)).toEqual([
      `item ${item_id}: ${count} bids, the highest ${highest_cents}; accepted were ${count - 1}, the highest ${highest_cents}`,
    ]);
    // What has been looked at is not looked at again.
    await rubis.check(claret);
  }
  await cluster.stop();
});
