import { expect, test } from 'vitest';
import type { FrameMessage } from '@claret/client/telemetry';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';

const SMALL = { hotRecords: 1, conflicts: 1, waiters: 1, samples: 1 };

test('the owners and standbys of each second are kept, and each change of an owner', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ ...SMALL, standbys: 1 });
  const frames: FrameMessage[] = [];
  for (let at = 0; at < 20; at += 1) {
    const frame = cluster.frame();
    if (at >= 13) frame.replication!.owners[0] = { ...frame.replication!.owners[0]!, address: '10.0.0.2:7401', incarnation: 99 };
    frames.push(frame);
    store.take(frame);
  }
  const { replication } = store;
  expect(replication.at(frames[0]!.at_ms - 1)).toBeNull();
  expect(replication.at(frames[0]!.at_ms)).toMatchObject(frames[0]!.replication!);
  expect(replication.at(frames[4]!.at_ms), 'within a second').toMatchObject(frames[0]!.replication!);
  expect(replication.at(frames[5]!.at_ms)).toMatchObject(frames[5]!.replication!);
  expect(replication.at(frames[12]!.at_ms)!.owners[0]!.incarnation).toBe(7);
  expect(replication.at(frames[13]!.at_ms)!.owners[0]!.incarnation, 'at once').toBe(99);
  expect(replication.newest!.at_ms).toBe(frames[18]!.at_ms);
  store.clear();
  expect(replication.newest).toBeNull();
});

test('a cluster that is not replicated has none', () => {
  const store = new TelemetryStore();
  for (const message of new SyntheticCluster(SMALL).messages(5)) store.take(message);
  expect(store.replication.newest).toBeNull();
});
