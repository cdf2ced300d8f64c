import { expect, test } from 'vitest';
import { TelemetryStore } from '../../store/telemetryStore.ts';
import { SyntheticCluster } from '../../testing/synthetic.ts';
import { eachBucket, bucketWidth } from './buckets.ts';
import { figuresOf, RUNNING, shownOf, spendingOf } from './figuresShown.ts';

const BEGAN_MS = 1_000_000_000_000;
const minute = { from_ms: BEGAN_MS, to_ms: BEGAN_MS + 60_000 };

test('the figures cover the last seconds shown, which a pause does not change, a picked span, or the pointed instant', () => {
  const still = { hover_ms: null, picked: false, span: minute };
  const last = { from_ms: BEGAN_MS + 58_000, to_ms: BEGAN_MS + 60_000 };
  expect(shownOf({ ...still, following: true })).toEqual({ span: last, words: 'Figures: last 2 s' });
  expect(shownOf({ ...still, following: false }).span).toEqual(last);
  expect(shownOf({ ...still, following: false, picked: true })).toEqual({ span: minute, words: 'Figures: all 60 s shown' });
  expect(shownOf({ ...still, hover_ms: BEGAN_MS + 5_000, following: true }).span).toEqual({
    from_ms: BEGAN_MS + 4_500,
    to_ms: BEGAN_MS + 5_500,
  });
});

test('reports add up: rates over the reported time, time spent by cause', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 2, seed: 'header' });
  store.take(cluster.welcome());
  let [commits, retries, waited_ms] = [0, 0, 0];
  for (let frame = 0; frame < 50; frame++) {
    const told = cluster.frame();
    for (const { telemetry } of told.shards) {
      commits += telemetry.homeCommits;
      retries += telemetry.retries;
      for (const cause in telemetry.waits) waited_ms += telemetry.waits[cause]!.totalMs;
      waited_ms += telemetry.thrownAwayMs + telemetry.backingOffMs + telemetry.queuedMs;
    }
    store.take(told);
  }
  const all = { from_ms: BEGAN_MS, to_ms: BEGAN_MS + 10_001 };
  const figures = figuresOf(store, all);
  expect(figures.committed_per_s).toBeCloseTo(commits / 10);
  expect(figures.retries_per_commit).toBeCloseTo(retries / commits);
  expect(figures.p99_ms).toBeGreaterThan(figures.p50_ms!);
  const [running, ...waits] = spendingOf(store, all);
  expect(running!.name).toBe(RUNNING);
  const shareOfWaits = waits.reduce((sum, { share }) => sum + share!, 0);
  expect(running!.share! + shareOfWaits).toBeCloseTo(1);
  expect(shareOfWaits * figures.spent_ms! * commits).toBeCloseTo(waited_ms);
});

test('before the first report there are no figures', () => {
  expect(Object.values(figuresOf(new TelemetryStore(), minute))).toEqual(Array(21).fill(null));
  expect(spendingOf(new TelemetryStore(), minute)[0]).toEqual({ name: RUNNING, share: null });
  expect(new Set(spendingOf(new TelemetryStore(), minute).map(({ share }) => share))).toEqual(new Set([null]));
});

test('what needed no message counts as committed, and has its share of all operations', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, seed: 'warranties' });
  store.take(cluster.welcome());
  const frame = cluster.frame();
  Object.assign(frame.shards[0]!.telemetry, { homeCommits: 10, operations: 100, retries: 6, warrantedCommits: 50, warrantedAnswers: 300 });
  store.take(frame);
  const figures = figuresOf(store, { from_ms: BEGAN_MS, to_ms: BEGAN_MS + 201 });
  expect(figures.committed_per_s).toBeCloseTo(300);
  expect(figures.retries_per_commit).toBeCloseTo(0.1);
  expect(figures.warranted_per_s).toBeCloseTo(1_500);
  expect(figures.warranted_share).toBe(0.75);
});

test('members of epochs have their operations, and these their share of all', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, seed: 'epochs' });
  store.take(cluster.welcome());
  const frame = cluster.frame();
  const told = {
    operations: 4_000,
    epochs: 5,
    epochMembers: 20,
    epochOperations: 3_000,
    epochContested: 1,
    epochIncomplete: 2,
    epochsCalledOff: 1,
  };
  Object.assign(frame.shards[0]!.telemetry, told);
  store.take(frame);
  expect(figuresOf(store, { from_ms: BEGAN_MS, to_ms: BEGAN_MS + 201 })).toMatchObject({
    epochMembers_per_s: 100,
    operations_per_member: 150,
    epoch_share: 0.75,
    cameBack_per_s: 15,
    calledOff_per_s: 5,
  });
});

test('buckets keep their positions while the axis advances, and end by the newest data', () => {
  const seen: number[] = [];
  eachBucket({ from_ms: 1_300, to_ms: 4_700 }, 1_000, 4_500, ({ from_ms }) => seen.push(from_ms));
  expect(seen).toEqual([1_000, 2_000, 3_000]);
  expect(bucketWidth(60_000 / 650)).toBe(1_000);
});

test('states have a fixed order, whichever was reported first', () => {
  const store = new TelemetryStore();
  const cluster = new SyntheticCluster({ began_ms: BEGAN_MS, shards: 1, seed: 'states' });
  store.take(cluster.welcome());
  for (const names of [
    ['tea_break', 'epoch_wait', 'thrown_away'],
    ['phase_wait', 'backing_off', 'lock_wait'],
  ]) {
    const frame = cluster.frame();
    frame.shards[0]!.telemetry.waits = Object.fromEntries(names.map((name) => [name, { count: 1, totalMs: 40 }]));
    store.take(frame);
  }
  const told = spendingOf(store, { from_ms: BEGAN_MS, to_ms: BEGAN_MS + 401 }).map(({ name }) => name);
  const asTold = ['lock_wait', 'phase_wait', 'epoch_wait', 'backing_off', 'thrown_away', 'tea_break'];
  expect(told.filter((name) => asTold.includes(name))).toEqual(asTold);
  expect(told[0]).toBe(RUNNING);
});
