import type { EpochSlice } from '@claret/client/telemetry';
import { expect, test } from 'vitest';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { EpochSeries, type EpochLane, type ToldEpochs } from './epochSeries.ts';
import { HISTORY_MS, TelemetryStore } from './telemetryStore.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };

const epoch = (agoMs: number, more: Partial<EpochSlice> = {}): EpochSlice => ({
  manager: 0,
  agoMs,
  gatherMs: 5,
  listMs: 1,
  heldMs: 2,
  turnMs: 10,
  epochs: 1,
  reads: 1,
  writes: 3,
  readOperations: 100,
  writeOperations: 300,
  cameBack: 0,
  calledOff: 0,
  late: [],
  ...more,
});
const OFF = { heldMs: 50, turnMs: 0, reads: 0, writes: 0, readOperations: 0, writeOperations: 0, cameBack: 4, calledOff: 1 };

function seriesOf(...slices: EpochSlice[]): EpochSeries {
  const series = new EpochSeries();
  series.take([{ shard: 1, at_ms: 1_000, telemetry: { epochSlices: slices } }], 0);
  return series;
}

function slicesOf(lane: EpochLane, span = ALL): ToldEpochs[] {
  const slices: ToldEpochs[] = [];
  lane.slices(span, (slice) => slices.push({ ...slice }));
  return slices;
}

function partsOf(series: EpochSeries, span = ALL): [string, number, number][] {
  const parts: [string, number, number][] = [];
  series.lanes[0]!.phases(span, (mode, from_ms, to_ms) => parts.push([series.modes[mode]!, from_ms, to_ms]));
  return parts;
}

function queuesOf(series: EpochSeries, span = ALL): [number, number][] {
  const queues: [number, number][] = [];
  series.lanes[0]!.queues(span, (at_ms, _mode, _holders, waiting) => queues.push([at_ms, waiting]));
  return queues;
}

test('an epoch stands where it was on the time axis: listed, held, and then the turns of writes and of reads', () => {
  const series = seriesOf(epoch(100));
  expect(series.lanes.map(({ shard }) => shard)).toEqual([1]);
  expect(partsOf(series)).toEqual([
    ['listing', 900, 901],
    ['held', 901, 903],
    ['write', 903, 910.5],
    ['read', 910.5, 913],
  ]);
  expect(queuesOf(series), 'its members are gathered before').toEqual([
    [895, 4],
    [900, 0],
  ]);
});

test('a call-off is a part of its own, and names who was late', () => {
  const series = seriesOf(epoch(200, { ...OFF, late: [2] }), epoch(100, { ...OFF, late: [3, 0] }), epoch(40, OFF));
  expect(partsOf(series).filter(([mode]) => mode !== 'listing')).toEqual([
    ['called off: shard 2 late', 801, 851],
    ['called off: shards 0 and 3 late', 901, 951],
    ['called off', 961, 1_011],
  ]);
  expect(slicesOf(series.lanes[0]!)[1]).toMatchObject({ calledOff: 1, cameBack: 4, late: [0, 3] });
});

test('several epochs in one slice have their times added up; those that were called off have their share', () => {
  const series = seriesOf(epoch(100, { epochs: 4, calledOff: 1, late: [0], heldMs: 40, reads: 2, writes: 6, cameBack: 4 }));
  expect(partsOf(series).slice(1, 3)).toEqual([
    ['held', 901, 931],
    ['called off: shard 0 late', 931, 941],
  ]);
  expect(queuesOf(series)[0], 'members of each').toEqual([895, 3]);
});

test('members that came back are gathered since the epoch before, not since before that', () => {
  const series = seriesOf(epoch(100), epoch(60, { gatherMs: 150 }));
  expect(slicesOf(series.lanes[0]!).map(({ gathered_ms, began_ms }) => [gathered_ms, began_ms])).toEqual([
    [895, 900],
    [900, 940],
  ]);
});

test('a span has the epochs that touch it, and that whose members are being gathered', () => {
  const series = seriesOf(epoch(300), epoch(200), epoch(100));
  const begins = (from_ms: number, to_ms: number) => slicesOf(series.lanes[0]!, { from_ms, to_ms }).map(({ began_ms }) => began_ms);
  expect(begins(805, 850)).toEqual([800]);
  expect(begins(820, 850)).toEqual([]);
  expect(begins(820, 897)).toEqual([900]);
});

test('what is old, or was cleared, is gone; sets of late shards are bounded', () => {
  const series = new EpochSeries();
  for (let at_ms = 1_000; at_ms < 100_000; at_ms += 1_000) {
    series.take([{ shard: 0, at_ms, telemetry: { epochSlices: [epoch(100, { ...OFF, late: [at_ms / 1_000] })] } }], at_ms - 50_000);
  }
  expect(series.modes.length).toBeLessThanOrEqual(5 + 25);
  expect(series.modes).toContain('called off');
  expect(slicesOf(series.lanes[0]!)[0]!.began_ms).toBeGreaterThanOrEqual(47_900);
  series.clear();
  expect(series.lanes).toEqual([]);
});

test('the store has the epochs of all shards, and their counts', () => {
  const cluster = new SyntheticCluster({ shards: 3, epochs: 40, hotRecords: 1 });
  const store = new TelemetryStore();
  let [members, slices] = [0, 0];
  store.take(cluster.welcome());
  for (let frame = 0; frame < 100; frame += 1) {
    const told = cluster.frame();
    for (const { telemetry } of told.shards) {
      members += telemetry.epochMembers;
      slices += telemetry.epochSlices.length;
    }
    store.take(told);
  }
  expect(members).toBeGreaterThan(0);
  expect(store.totals.sum(ALL, 'epochMembers')).toBe(members);
  expect(store.epochs.lanes.map(({ shard }) => shard)).toEqual([0, 1, 2]);
  expect(store.epochs.lanes.reduce((sum, lane) => sum + slicesOf(lane).length, 0)).toBe(slices);
  store.take({ ...cluster.frame(), at_ms: store.newest_ms! + 2 * HISTORY_MS, shards: [] });
  expect(store.epochs.lanes.flatMap((lane) => slicesOf(lane)).length).toBeLessThanOrEqual(3);
});
