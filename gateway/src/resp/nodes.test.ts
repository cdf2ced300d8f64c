import { expect, test } from 'vitest';
import { parseCluster } from '../cluster.ts';
import { Topology } from '../topology.ts';
import { nodesOf } from './nodes.ts';

const topology = (cluster: string, clusterName = 'claret') =>
  new Topology({ members: parseCluster(cluster), durability: 'none', clusterName, replicated: true });

test('each shard is a node with its slots, where its door is', () => {
  expect(nodesOf(topology('db1:1/db1:2/redis1:3,[::1]:4/[::1]:5/[::1]:6'))).toEqual([
    { id: expect.stringMatching(/^[0-9a-f]{40}$/), host: 'redis1', port: 3, slots: [[0, 8191]] },
    { id: expect.stringMatching(/^[0-9a-f]{40}$/), host: '::1', port: 6, slots: [[8192, 16383]] },
  ]);
});

test('a shard without a door has the port 0', () => {
  expect(nodesOf(topology('db1:1/db1:2/db1:3,db2:1/db2:2'))[1]).toMatchObject({ host: 'db2', port: 0, slots: [[8192, 16383]] });
});

test('slots that have moved are one run with those beside them, and apart from all others', () => {
  const moved = topology('h:1/h:2/h:3,h:4/h:5/h:6');
  moved.takeSlots(1, [
    { first: 8000, last: 8191, version: 1 },
    { first: 8192, last: 16383, version: 0 },
    { first: 10, last: 10, version: 3 },
  ]);
  expect(nodesOf(moved).map(({ slots }) => slots)).toEqual([
    [
      [0, 9],
      [11, 7999],
    ],
    [
      [10, 10],
      [8000, 16383],
    ],
  ]);
});

test('a shard keeps its id when another gateway takes it over, and has another one than all other shards', () => {
  const cluster = topology('h:1/h:2/h:3,h:4/h:5/h:6');
  const before = nodesOf(cluster).map(({ id }) => id);
  cluster.take([{ shard: 0, incarnation: 9, grpc: 'x:1', rest: 'x:2', resp: 'x:3' }], []);
  const after = nodesOf(cluster);
  expect(after[0]).toMatchObject({ host: 'x', port: 3 });
  expect(after.map(({ id }) => id)).toEqual(before);
  expect(new Set([...before, ...nodesOf(topology('h:1/h:2/h:3', 'other')).map(({ id }) => id)]).size).toBe(3);
});
