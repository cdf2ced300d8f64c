// The dashboard counts the same from a merged frame as from the frames that it was made of.
import { expect, test } from 'vitest';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';
import type { FrameMessage } from '@claret/client/telemetry';
import { mergeTelemetry } from '../../../../gateway/src/telemetry/merge.ts';

const WHOLE = { from_ms: 0, to_ms: Infinity };
const KINDS = ['committed', 'commits', 'begun', 'retries', 'aborts', 'denials', 'operations', 'joined', 'shared', 'conflicts'] as const;

function storeOf(frames: FrameMessage[], cluster: SyntheticCluster): TelemetryStore {
  const store = new TelemetryStore();
  store.take(cluster.welcome());
  for (const frame of frames) store.take(frame);
  return store;
}

test('five frames become one that adds up to the same', () => {
  const cluster = new SyntheticCluster({ shards: 2 });
  const frames = Array.from({ length: 5 }, () => cluster.frame());
  const last = frames.at(-1)!;
  const before = structuredClone(frames);
  const merged: FrameMessage = {
    ...last,
    shards: [0, 1].map((shard) => ({
      ...last.shards[shard]!,
      telemetry: mergeTelemetry(frames.map(({ shards }) => shards[shard]!.telemetry)),
    })),
  };
  expect(frames).toEqual(before);
  const [one, all] = [storeOf([merged], cluster), storeOf(frames, cluster)];
  for (const kind of KINDS) expect([kind, one.totals.sum(WHOLE, kind)]).toEqual([kind, all.totals.sum(WHOLE, kind)]);
  for (const quantile of [0.1, 0.5, 0.99]) expect(one.totals.latency(WHOLE, quantile)).toBe(all.totals.latency(WHOLE, quantile));
  for (const part of ['thrown_away', 'backing_off', 'queued'] as const) {
    const of = (store: TelemetryStore) => {
      let sum = 0;
      for (let tick = store.totals.first(WHOLE); tick < store.totals.end(WHOLE); tick++) sum += store.totals.waited(tick, part);
      return sum;
    };
    expect(of(one)).toBeCloseTo(of(all), 3);
  }
  const records = merged.shards[0]!.telemetry.hotRecords;
  const told = frames.flatMap(({ shards }) => shards[0]!.telemetry.hotRecords).filter(({ key }) => key === records[0]!.key);
  expect(records[0]!.operations).toBe(told.reduce((sum, { operations }) => sum + operations, 0));
  // Phases and slices stand where they stood on the time axis.
  const at = (frame: FrameMessage) =>
    frame.shards[0]!.telemetry.samples.map((sample) => Math.round(frame.shards[0]!.at_ms - sample.endedAgoMs));
  expect(frames.flatMap(at).slice(-12)).toEqual(at(merged));
});

test('one frame stays as it is', () => {
  const { telemetry } = new SyntheticCluster({ shards: 1 }).frame().shards[0]!;
  expect(mergeTelemetry([telemetry])).toBe(telemetry);
});
