import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoShards } from './demo-shards.js';

test('two gateways are started; with few processors all slots are at the first shard', () => {
  assert.deepEqual(demoShards({}, null, 8), { shards: 2, dealt: 2 });
  assert.deepEqual(demoShards({}, null, 2), { shards: 2, dealt: 1 });
});

test('so many shards as were asked for share the slots', () => {
  assert.deepEqual(demoShards({ shards: 3 }, null, 2), { shards: 3, dealt: 3 });
  assert.deepEqual(demoShards({ shards: 3, dealt: 2 }, null, 2), { shards: 3, dealt: 2 });
});

test('what is kept has as many shards as before, and its slots were dealt as they were', () => {
  assert.deepEqual(demoShards({}, { shards: 3, dealt: 2 }, 2), { shards: 3, dealt: 2 });
  assert.deepEqual(demoShards({ shards: 4 }, { shards: 3, dealt: 2 }, 8), { shards: 4, dealt: 2 });
});

test('slots cannot be dealt among more shards than there are', () => {
  assert.throws(() => demoShards({ dealt: 3 }, null, 2), /slots cannot be dealt among 3 of 2 shards/);
});
