// The dashboard counts the same from a merged frame as from the frames that it was made of.
import { seeded } from '@claret/ui/kit/seeded.ts';
import { expect, test } from 'vitest';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore } from './telemetryStore.ts';
import { COUNTS } from './totalsSeries.ts';
import { NATIVE, type EpochSlice, type FrameMessage, type Turns } from '@claret/client/telemetry';
import { mergeTelemetry } from '../../../../gateway/src/telemetry/merge.ts';

const WHOLE = { from_ms: 0, to_ms: Infinity };

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
  for (const kind of COUNTS) expect([kind, one.totals.sum(WHOLE, kind)]).toEqual([kind, all.totals.sum(WHOLE, kind)]);
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
  for (const figure of ['operations', 'natives', 'nativeWaits', 'nativeBreaks'] as const) {
    expect([figure, records[0]![figure]]).toEqual([figure, told.reduce((sum, one) => sum + one[figure], 0)]);
  }
  // Phases and slices stand where they stood on the time axis.
  const at = (frame: FrameMessage) =>
    frame.shards[0]!.telemetry.samples.map((sample) => Math.round(frame.shards[0]!.at_ms - sample.endedAgoMs));
  expect(frames.flatMap(at).slice(-12)).toEqual(at(merged));
});

test('turns keep their time, however many a merged frame tells of, and stay in order', () => {
  const chance = seeded('turns');
  const cluster = new SyntheticCluster({ shards: 1 });
  let free_ms = 0;
  const frames = Array.from({ length: 5 }, (_, index) => {
    const { telemetry } = cluster.frame().shards[0]!;
    const turnSlices: Turns[] = [];
    while (free_ms < 200 * (index + 1) - 8) {
      const lengthMs = chance.between(0.5, 6);
      const agoMs = telemetry.monotonicMs - free_ms;
      turnSlices.push({ session: 'app', peer: chance.integer(1, 2), agoMs, lengthMs, turns: 2, waiting: 1, recalled: 2, timedOut: 0 });
      free_ms += lengthMs + chance.between(0, 2);
    }
    return { ...telemetry, turnSlices, turns: 2 * turnSlices.length, breaks: { displaced: 1 }, standBacks: { [`reason ${index}`]: 1 } };
  });
  const merged = mergeTelemetry(frames);
  const all = frames.flatMap(({ turnSlices }) => turnSlices);
  const sum = (slices: Turns[], name: 'lengthMs' | 'turns' | 'recalled') => slices.reduce((total, slice) => total + slice[name], 0);
  expect(all.length).toBeGreaterThan(150);
  expect(merged.turnSlices.length).toBeLessThanOrEqual(48);
  for (const name of ['lengthMs', 'turns', 'recalled'] as const) expect(sum(merged.turnSlices, name)).toBeCloseTo(sum(all, name), 6);
  let free_ago_ms = Infinity;
  for (const { agoMs, lengthMs } of merged.turnSlices) {
    expect(agoMs).toBeLessThanOrEqual(free_ago_ms + 1e-9);
    free_ago_ms = agoMs - lengthMs;
    expect(free_ago_ms).toBeGreaterThanOrEqual(0);
  }
  expect(merged.breaks).toEqual({ displaced: 5 });
  expect(Object.keys(merged.standBacks)).toHaveLength(5);
});

test('epochs keep their times and counts, however many a merged frame tells of, and do not overlap', () => {
  const cluster = new SyntheticCluster({ shards: 2, epochs: 90 });
  const frames = Array.from({ length: 5 }, () => cluster.frame().shards[0]!.telemetry);
  const merged = mergeTelemetry(frames);
  const all = frames.flatMap(({ epochSlices }) => epochSlices);
  expect(all.length).toBeGreaterThan(60);
  expect(merged.epochSlices.length).toBeLessThanOrEqual(48);
  for (const name of ['listMs', 'heldMs', 'turnMs', 'epochs', 'reads', 'writeOperations', 'cameBack', 'calledOff'] as const) {
    const sum = (slices: EpochSlice[]) => slices.reduce((total, slice) => total + slice[name], 0);
    expect(sum(merged.epochSlices), name).toBeCloseTo(sum(all), 6);
  }
  expect(merged.epochMembers).toBe(frames.reduce((sum, { epochMembers }) => sum + epochMembers, 0));
  let free_ago_ms = Infinity;
  for (const { agoMs, listMs, heldMs, turnMs } of merged.epochSlices) {
    expect(agoMs).toBeLessThanOrEqual(free_ago_ms + 0.01);
    free_ago_ms = agoMs - listMs - heldMs - turnMs;
  }
});

test('warranties that have ended are all told, and those that stand once, at their places in time', () => {
  const cluster = new SyntheticCluster({ shards: 1, hotRecords: 1 });
  const warranty = { operation: 'TopK.top', holders: 1, recalledMs: 3, lapsed: false };
  const frames = [1, 2].map(() => {
    const { telemetry } = cluster.frame().shards[0]!;
    const [record] = telemetry.hotRecords;
    const warranties = [
      { ...warranty, agoMs: 150, lengthMs: 40, ended: true },
      { ...warranty, agoMs: 90, lengthMs: 90, ended: false },
    ];
    return { ...telemetry, warrantedAnswers: 7, hotRecords: [{ ...record!, warranties }] };
  });
  const merged = mergeTelemetry(frames);
  expect(merged.warrantedAnswers).toBe(14);
  expect(merged.hotRecords[0]!.warranties).toEqual([
    { ...warranty, agoMs: 350, lengthMs: 40, ended: true },
    { ...warranty, agoMs: 150, lengthMs: 40, ended: true },
    { ...warranty, agoMs: 90, lengthMs: 90, ended: false },
  ]);
});

test('natives that broke a holder stay apart from natives that waited for it', () => {
  const cluster = new SyntheticCluster({ shards: 1 });
  const met = { holderLabel: 'Bid', comerLabel: NATIVE, holderOperation: 'Counter.value', comerOperation: 'Counter.add' };
  const frames = [1, 2].map((count) => ({
    ...cluster.frame().shards[0]!.telemetry,
    conflicts: [
      { ...met, outcome: 'waited' as const, count },
      { ...met, outcome: 'broke' as const, count: 10 * count },
    ],
  }));
  expect(mergeTelemetry(frames).conflicts).toEqual([
    { ...met, outcome: 'broke', count: 30 },
    { ...met, outcome: 'waited', count: 3 },
  ]);
});

test('one frame stays as it is', () => {
  const { telemetry } = new SyntheticCluster({ shards: 1 }).frame().shards[0]!;
  expect(mergeTelemetry([telemetry])).toBe(telemetry);
});
