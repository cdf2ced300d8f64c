// The conditions of a cluster of real gateways: the newest win, and a change reaches every gateway.
import type { Conditions } from '@claret/core';
import { afterEach, expect, test } from 'vitest';
import { startCluster } from '../testing/cluster.ts';
import type { TestCluster } from '../testing/cluster.ts';
import { ClusterConditions } from './cluster-conditions.ts';
import type { VersionedConditions } from './cluster-conditions.ts';

const RW: Conditions = { locks: 'rw', phasing: true, combining: 'off', warranties: 'auto' };
const OTHER: Conditions = { locks: 'abstract', phasing: false, combining: 'auto', warranties: 'off' };

const clusters: TestCluster[] = [];
afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.close();
});
async function start(shards: number): Promise<TestCluster> {
  const cluster = await startCluster(shards);
  clusters.push(cluster);
  return cluster;
}
const put = (cluster: TestCluster, shard: number, payload: object) =>
  cluster.gateways[shard]!.rest.inject({ method: 'PUT', url: '/v1/admin/conditions', payload });
const inForce = (cluster: TestCluster) => cluster.gateways.map((gateway) => gateway.host.conditions());

test("a restarted gateway takes the cluster's conditions instead of its configured ones", async () => {
  const cluster = await start(2);
  await put(cluster, 0, RW);
  await cluster.restart(1, { phasing: false });
  expect(inForce(cluster)).toEqual([RW, RW]);
  await cluster.untilConnected();
  // It also takes their version, so a change through it is newer.
  expect((await put(cluster, 1, OTHER)).statusCode).toBe(200);
  expect(inForce(cluster)).toEqual([OTHER, OTHER]);
});

test('while a gateway is down, no gateway is changed', async () => {
  const cluster = await start(3);
  const [before] = inForce(cluster);
  await cluster.gateways[2]!.close();
  const answer = await put(cluster, 0, RW);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'shard_unavailable']);
  expect(answer.json().shards).toMatchObject([{ conditions: before }, { conditions: before }, { shard: 2, conditions: null }]);
  expect(inForce(cluster).slice(0, 2)).toEqual([before, before]);
});

test('a gateway that was cut off during a change follows by itself', async () => {
  const cluster = await start(2);
  // The state of gateway 0 after a change that did not reach the others.
  const wanted = { ...RW, version: 256 };
  const { conditions } = (cluster.gateways[0] as unknown as { dependencies: { services: { conditions: ClusterConditions } } }).dependencies
    .services;
  conditions.setLocal(wanted);
  await expect.poll(() => inForce(cluster)).toEqual([RW, RW]);
});

test('of two concurrent changes through different gateways, one wins everywhere', async () => {
  const cluster = await start(2);
  for (let round = 0; round < 5; round++) {
    await Promise.all([put(cluster, 0, RW), put(cluster, 1, OTHER), put(cluster, 0, { ...RW, phasing: false })]);
    await expect.poll(() => new Set(inForce(cluster).map((conditions) => JSON.stringify(conditions))).size).toBe(1);
  }
});

test('GET shows the conditions and the version of every shard, and which shards do not answer', async () => {
  const cluster = await start(2);
  await put(cluster, 1, RW);
  await cluster.gateways[1]!.close();
  const answer = (await cluster.gateways[0]!.rest.inject('/v1/admin/conditions')).json();
  expect(answer).toMatchObject({
    ...RW,
    version: 257,
    shards: [
      { shard: 0, conditions: RW, version: 257 },
      { shard: 1, conditions: null, version: null },
    ],
  });
  expect(answer.shards[1].error).toContain('did not answer');
});

test('older conditions never take effect', () => {
  let current: Conditions = { ...RW };
  const own = { conditions: () => current, setConditions: (wanted: Conditions) => void (current = wanted) };
  const conditions = new ClusterConditions(own, 0, [], undefined as never);
  const accepted: VersionedConditions = conditions.setLocal({ ...OTHER, version: 512 });
  expect(accepted).toEqual({ ...OTHER, version: 512 });
  for (const version of [256, 511, 512]) expect(conditions.setLocal({ ...RW, version })).toEqual(accepted);
  expect(current).toEqual(OTHER);
});
