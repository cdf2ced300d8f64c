import { expect, test } from 'vitest';
import type { Slots } from '@claret/client/telemetry';
import { emptyShard } from './emptyShard.ts';

const owning = (...slots: number[]): Slots['shards'] =>
  slots.map((count, shard) => ({ shard, address: '', rest_address: '', slots: count }));
const moving = (to: number): Slots['moves'][number] => ({ ...({} as Slots['moves'][number]), to });

test('the last shard without slots takes half of what the fullest has', () => {
  expect(emptyShard({ shards: owning(16_384, 0), moves: [] })).toEqual({ from: 0, to: 1, count: 8_192, isMoving: false });
  expect(emptyShard({ shards: owning(4_000, 12_384, 0), moves: [] })).toMatchObject({ from: 1, to: 2, count: 6_192 });
});

test('it is told while slots move there', () => {
  expect(emptyShard({ shards: owning(16_384, 0), moves: [moving(1)] })?.isMoving).toBe(true);
  expect(emptyShard({ shards: owning(8_000, 8_384, 0), moves: [moving(1)] })?.isMoving).toBe(false);
});

test('no shard is empty where the last one has slots, or there is but one', () => {
  expect(emptyShard({ shards: owning(8_192, 8_192), moves: [] })).toBeNull();
  expect(emptyShard({ shards: owning(16_384), moves: [] })).toBeNull();
  expect(emptyShard({ shards: [], moves: [] })).toBeNull();
});
