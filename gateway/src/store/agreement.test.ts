// Gateways that take their cluster to be different ones.
import { afterEach, expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { Agreement, ClusterMismatch } from './agreement.ts';
import type { ClusterView } from './agreement.ts';

let cluster: TestCluster | undefined;
afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

test.each([
  ['durability', { durability: 'async' as const }, /shard 0 at .* has the durability 'none', and this one 'async'/],
  ['cluster name', { clusterName: 'other' }, /shard 0 at .* has the cluster name 'claret', and this one 'other'/],
])('a gateway does not start beside one with another %s', async (_what, overrides, message) => {
  cluster = await startCluster(2);
  await expect(cluster.restart(1, overrides)).rejects.toThrow(message);
  await cluster.restart(1);
});

test('gateways that start together hear of it as soon as they reach each other', async () => {
  const members = parseCluster('h:1/h:2,h:3/h:4');
  const own: ClusterView = { clusterName: 'claret', durability: 'sync', addresses: ['h:1', 'h:3'], logs: [] };
  let answer: ClusterView | null = null;
  const peers = { getCluster: () => (answer === null ? Promise.reject(new Error('not there yet')) : Promise.resolve(answer)) };
  const agreement = new Agreement(own, 0, members, peers);
  const silent: string[] = [];
  agreement.onSilent = (why) => silent.push(why);
  const heard = new Promise<ClusterMismatch>((resolve) => (agreement.onMismatch = resolve));
  await agreement.begin();
  expect(silent).toEqual(['not there yet']);
  answer = { ...own, addresses: ['h:1', 'h:5'] };
  expect((await heard).message).toBe("the gateway of shard 1 at h:3 has the shards 'h:1, h:5', and this one 'h:1, h:3': all gateways of a cluster need the same");
});
