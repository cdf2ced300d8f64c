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
    await rubis.check(claret);
    rubis.accepted.set([...rubis.accepted.keys()][0]!, { count: 0, highest_cents: 0 });
    await expect(rubis.check(claret)).rejects.toThrow('accepted were 0');
  }
  await cluster.stop();
});
