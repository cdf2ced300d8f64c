import { expect, test } from 'vitest';
import { TelemetryStore } from '../store/telemetryStore.ts';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { hotType } from './hotType.ts';

test('the type of the record that is used most now, and none once nothing is used', () => {
  const store = new TelemetryStore();
  expect(hotType(store)).toBeNull();
  const cluster = new SyntheticCluster({ began_ms: 1_000_000_000_000, shards: 2, seed: 'hot' });
  store.take(cluster.welcome());
  for (let frame = 0; frame < 50; frame++) store.take(cluster.frame());
  const [lane] = store.records.lanes({ from_ms: store.newest_ms! - 10_000, to_ms: store.newest_ms! + 1 }, 'operations', 1);
  const hot = hotType(store)!;
  expect([hot.key, hot.type]).toEqual([lane!.key, lane!.type]);
  expect(hotType({ records: store.records, newest_ms: store.newest_ms! + 60_000 })).toBeNull();
});
