// Definitions that cost as much as they can: they are refused, or tried in bounded time, and shards answer meanwhile.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';
import { DEEP, DOUBLED, HUGE, SUMMED, sendAll } from './testing/hostile-definitions.ts';

vi.setConfig({ testTimeout: 120_000 });

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

test('hostile definitions are refused, or tried in bounded time, and the shard answers meanwhile', async () => {
  expect(await sendAll(cluster, [DEEP, HUGE, DOUBLED, SUMMED], '/v1/types/check', { seconds: 0.1 })).toBeLessThan(1_000);
});

test('one that nests too deeply is not installed; a huge one is, and runs', async () => {
  expect(await sendAll(cluster, [DEEP, HUGE], '/v1/types')).toBeLessThan(1_000);
  const operations = [{ key: 'votes', type: 'Huge', operation: 'add', arguments: [1] }];
  const answer = await cluster.gateways[1]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations } });
  expect(answer.statusCode).toBe(200);
});
