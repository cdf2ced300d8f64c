import { expect, test } from 'vitest';
import { shardRows } from './shardRows.ts';

const gateway = (shard: number) => ({ shard, address: `10.0.0.${shard}:7401`, rest_address: `10.0.0.${shard}:7400` });
const slots = { at_ms: 0, shards: [0, 1, 2].map((shard) => ({ ...gateway(shard), slots: [8_192, 8_192, 0][shard]! })), moves: [] };
const owner = (shard: number) => ({ ...gateway(shard), incarnation: 7, since_ms: 0, present: true });

test('without replication each shard has a row, and no owner', () => {
  expect(shardRows(null, slots).map((row) => [row.shard, row.rest_address, row.slots, row.owner])).toEqual([
    [0, '10.0.0.0:7400', 8_192, null],
    [1, '10.0.0.1:7400', 8_192, null],
    [2, '10.0.0.2:7400', 0, null],
  ]);
  expect(shardRows(null, null)).toEqual([]);
});

test('with replication each owned shard has a row, with its slots if they are known', () => {
  const replication = { at_ms: 0, owners: [owner(0), owner(2)], standbys: [] };
  expect(shardRows(replication, slots).map((row) => [row.shard, row.slots, row.owner?.incarnation])).toEqual([
    [0, 8_192, 7],
    [2, 0, 7],
  ]);
  expect(shardRows(replication, null).map((row) => row.slots)).toEqual([null, null]);
});
