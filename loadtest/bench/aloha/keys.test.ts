import { expect, test } from 'vitest';
import { evenTopology, Topology } from '../../../client/src/topology/topology.ts';
import { keyOnShard, keysOnShard } from './keys.ts';

test('a key lies on the shard that was asked for', () => {
  for (const shards of [1, 2, 3, 64]) {
    const topology = new Topology(evenTopology(Array.from({ length: shards }, (_, shard) => `shard-${shard}`)));
    for (let shard = 0; shard < shards; shard++) expect(topology.shardOf(keyOnShard(shard, shards, 'key'))).toBe(shard);
  }
});

test('keys of a shard are distinct', () => {
  const keys = keysOnShard(1, 3, 'key');
  expect(new Set(Array.from({ length: 100 }, () => keys.next().value)).size).toBe(100);
});
