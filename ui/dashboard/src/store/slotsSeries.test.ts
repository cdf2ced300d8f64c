import { expect, test } from 'vitest';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';

const SMALL = { hotRecords: 1, conflicts: 1, waiters: 1, samples: 1 };
const moving = (bytes_sent: number) =>
  ({ move: '0-2-a', from: 0, to: 2, slots: { first: 0, last: 99 }, phase: 'copying', bytes_sent, bytes_left: 10, began_at_ms: 0 }) as const;

test('a shard that joins is counted and has slots from then on, and not before', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster(SMALL);
  for (const message of cluster.messages(3)) store.take(message);
  const before_ms = store.newest_ms!;
  expect([store.shards, store.slots.newest!.shards.length]).toEqual([2, 2]);
  cluster.join();
  store.take(cluster.frame());
  expect([store.shards, store.slots.newest!.shards.map(({ slots }) => slots)]).toEqual([3, [8_192, 8_192, 0]]);
  expect(store.slots.at(before_ms)!.shards).toHaveLength(2);
  store.clear();
  expect([store.shards, store.slots.newest]).toEqual([0, null]);
});

test('a shard that joins and has not reported yet is counted as it is silent', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster(SMALL);
  store.take(cluster.welcome());
  const { slots: _, ...frame } = cluster.frame();
  store.take({ ...frame, silent: [2] });
  expect(store.shards).toBe(3);
});

test('each step of a move is kept, and its end at once', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster(SMALL);
  const sent = [10, 20, 30].map((bytes) => {
    cluster.moves = [moving(bytes)];
    const frame = cluster.frame();
    store.take(frame);
    return frame.at_ms;
  });
  cluster.moves = [];
  const end = cluster.frame();
  store.take(end);
  expect(sent.map((at_ms) => store.slots.at(at_ms)!.moves.map(({ bytes_sent }) => bytes_sent))).toEqual([[10], [20], [30]]);
  expect(store.slots.at(end.at_ms)!.moves).toEqual([]);
});
