import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoShards } from './demo-shards.js';

const few = { processors: 2, slotsMove: true };
const many = { processors: 8, slotsMove: true };

test('two gateways are started; with few processors all slots are at the first shard', () => {
  assert.deepEqual(demoShards({}, null, many), { shards: 2, dealt: 2 });
  assert.deepEqual(demoShards({}, null, few), { shards: 2, dealt: 1 });
});

test('where slots cannot move, all shards get some', () => {
  assert.deepEqual(demoShards({}, null, { processors: 2, slotsMove: false }), { shards: 2, dealt: 2 });
});

test('so many shards as were asked for share the slots', () => {
  assert.deepEqual(demoShards({ shards: 3 }, null, few), { shards: 3, dealt: 3 });
  assert.deepEqual(demoShards({ shards: 3, dealt: 2 }, null, few), { shards: 3, dealt: 2 });
});

test('what is kept has as many shards as before, and its slots were dealt as they were', () => {
  assert.deepEqual(demoShards({}, { shards: 3, dealt: 2 }, few), { shards: 3, dealt: 2 });
  assert.deepEqual(demoShards({ shards: 4 }, { shards: 3, dealt: 2 }, many), { shards: 4, dealt: 2 });
});

test('slots cannot be dealt among more shards than there are', () => {
  assert.throws(() => demoShards({ dealt: 3 }, null, few), /slots cannot be dealt among 3 of 2 shards/);
});
