// Definitions whose trial costs as much as it can are installed in bounded time, and shards answer meanwhile.
import { expect, test, vi } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import { DOUBLED, SUMMED, sendAll } from './testing/hostile-definitions.ts';

vi.setConfig({ testTimeout: 300_000 });

test('costly definitions are installed in bounded time, and the shard answers meanwhile', async () => {
  const cluster = await startCluster(2);
  expect(await sendAll(cluster, [DOUBLED, SUMMED], '/v1/types')).toBeLessThan(1_000);
  await cluster.close();
});
