// Definitions that cost as much as they can: they are refused, or tried in bounded time, and shards answer meanwhile.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from './testing/cluster.ts';
import type { TestCluster } from './testing/cluster.ts';
import { BLOATING, DEEP, DOUBLED, HUGE, SPINNING, SUMMED, sendAll } from './testing/hostile-definitions.ts';

/** No machine is so busy that an answer takes that long; a shard that worked on a definition would. */
const STANDS_STILL_MS = 10_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

test('hostile definitions are refused, or tried in bounded time, and the shard answers meanwhile', async () => {
  expect(await sendAll(cluster, [DEEP, HUGE, DOUBLED, SUMMED], '/v1/types/check', { seconds: 0.1 })).toBeLessThan(STANDS_STILL_MS);
});

test('one that nests too deeply is not installed; a huge one is, and runs', async () => {
  expect(await sendAll(cluster, [DEEP, HUGE], '/v1/types')).toBeLessThan(STANDS_STILL_MS);
  const operations = [{ key: 'votes', type: 'Huge', operation: 'add', arguments: [1] }];
  const answer = await cluster.gateways[1]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations } });
  expect(answer.statusCode).toBe(200);
});

test('loops that would not end, or fill the memory, are refused within their limits, and the shard answers meanwhile', async () => {
  expect(await sendAll(cluster, [SPINNING, BLOATING], '/v1/types')).toBeLessThan(STANDS_STILL_MS);
  for (const [type, code] of [
    ['Spinning', 'too_many_steps'],
    ['Bloating', 'argument_too_large'],
  ]) {
    const operations = [{ key: type, type, operation: 'reached', arguments: [1] }];
    const answer = await cluster.gateways[1]!.rest.inject({ method: 'POST', url: '/v1/transactions', payload: { operations } });
    expect(answer.json()).toMatchObject({ code, retryable: false });
  }
});

test('costly definitions are installed in bounded time, and the shard answers meanwhile', async () => {
  expect(await sendAll(cluster, [DOUBLED, SUMMED], '/v1/types')).toBeLessThan(STANDS_STILL_MS);
});
