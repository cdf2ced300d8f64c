import { expect, test } from 'vitest';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { find } from './find.ts';

const store = new TelemetryStore();
const cluster = new SyntheticCluster({ began_ms: 1_000_000_000_000, shards: 2, seed: 'find' });
store.take(cluster.welcome());
for (let frame = 0; frame < 50; frame++) store.take(cluster.frame());
const all = { from_ms: store.oldest_ms!, to_ms: store.newest_ms! + 1 };

test('a part of a key finds the record, at the time of its last operation', () => {
  const [lane] = store.records.lanes(all, 'operations', 1);
  const found = find(store, lane!.key.toUpperCase().slice(1), 8).find((one) => one.kind === 'record' && one.key === lane!.key)!;
  expect(lane!.sum({ from_ms: found.at_ms, to_ms: Infinity }, 'operations')).toBeGreaterThan(0);
  expect(lane!.sum({ from_ms: found.at_ms + 1, to_ms: Infinity }, 'operations')).toBe(0);
});

test('a part of a label finds its newest sampled transaction', () => {
  const [newest] = store.samples.list(all);
  expect(find(store, newest!.label, 8)).toContainEqual({
    kind: 'label',
    label: newest!.label,
    at_ms: newest!.ended_ms,
    transaction: newest!.transaction,
  });
});

test('nothing is found for no text, or for what does not occur, and never more than asked for', () => {
  expect(find(store, '  ', 8)).toEqual([]);
  expect(find(store, 'no such thing', 8)).toEqual([]);
  const some = store.records.lanes(all, 'operations', 1)[0]!.key.slice(0, 1);
  expect(find(store, some, 2).length).toBeLessThanOrEqual(2);
});
