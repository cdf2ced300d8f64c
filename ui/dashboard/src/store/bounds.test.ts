// The store holds ten minutes of telemetry, however much arrives and however long it runs.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../../kit/seeded.ts';
import type { FrameMessage } from '@claret/client/telemetry';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { FadingLog } from './fadingLog.ts';
import { HISTORY_MS, TelemetryStore } from './telemetryStore.ts';

const ALL = { from_ms: -Infinity, to_ms: Infinity };
/** Much longer than what the store keeps. */
const LONG_MS = 8 * 3_600_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use after garbage collection. */
async function memory(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    // Buffers are freed in the background.
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** The same frame at another time, with other records, transactions and labels. */
function renamed(frame: FrameMessage, at_ms: number, number: number): FrameMessage {
  const shards = frame.shards.map(({ shard, telemetry }) => ({
    shard,
    at_ms,
    telemetry: {
      ...telemetry,
      hotRecords: telemetry.hotRecords.map((record, rank) => (rank < 2 ? record : { ...record, key: `${record.key}:${number}` })),
      conflicts: telemetry.conflicts.map((row) => ({ ...row, holderLabel: `${row.holderLabel}${number % 5_000}` })),
      waits: { ...telemetry.waits, [`cause ${number % 100}`]: { count: 1, totalMs: 1 } },
      samples: telemetry.samples.map((sample) => ({ ...sample, transaction: `${sample.transaction}:${number}` })),
    },
  }));
  return { ...frame, at_ms, number, shards };
}

describe('the store', () => {
  it('does not grow over hours of ever new records, labels and transactions', async () => {
    const cluster = new SyntheticCluster({ hotRecords: 5, conflicts: 4, waiters: 4, samples: 4 });
    const frames = Array.from({ length: 20 }, () => cluster.frame());
    const store = new TelemetryStore();
    const step_ms = 10_000;
    let [at_ms, number] = [1e12, 0];
    const takeFor = (ms: number) => {
      for (const end_ms = at_ms + ms; at_ms < end_ms; at_ms += step_ms) store.take(renamed(frames[number % 20]!, at_ms, ++number));
    };
    const grown = [];
    takeFor(LONG_MS / 2);
    let before = await memory();
    for (let period = 0; period < 3; period += 1) {
      takeFor(LONG_MS / 3);
      const after = await memory();
      grown.push(after - before);
      before = after;
    }
    // A leak grows in every period; other memory use of this process, and memory that is freed late, does not.
    expect(Math.min(...grown), `bytes grown by period: ${grown}`).toBeLessThan(1e6);
    expect(store.newest_ms! - store.oldest_ms!).toBeLessThanOrEqual(HISTORY_MS);
    expect(store.records.lanes(ALL, 'heat', 1e6).length).toBeLessThanOrEqual(512);
    expect(store.totals.causes().length).toBeLessThanOrEqual(16);
    expect(store.conflicts.rows(ALL).length).toBeLessThanOrEqual(4_096);
  });

  it('still has the steady records when many others come and go', () => {
    const cluster = new SyntheticCluster({ hotRecords: 48 });
    const frames = Array.from({ length: 20 }, () => cluster.frame());
    const store = new TelemetryStore();
    for (let number = 1; number <= 200; number += 1) store.take(renamed(frames[number % 20]!, 1e12 + number * 200, number));
    const { key } = frames[0]!.shards[0]!.telemetry.hotRecords[0]!;
    let operations = 0;
    for (let number = 1; number <= 200; number += 1) {
      operations += frames[number % 20]!.shards[0]!.telemetry.hotRecords.slice(0, 2).find((record) => record.key === key)?.operations ?? 0;
    }
    expect(store.records.lane(key)!.counts(ALL).operations).toBe(operations);
  });

  it('forgets what is older than ten minutes, in every series', () => {
    const cluster = new SyntheticCluster({ frame_ms: 1_000, phase_ms: 5_000, hotRecords: 3 });
    const store = new TelemetryStore();
    store.take({ ...cluster.change({ locks: 'rw' }) });
    for (let frame = 0; frame < 1_500; frame += 1) store.take(cluster.frame());
    const oldest_ms = store.newest_ms! - HISTORY_MS;
    expect(store.oldest_ms).toBe(oldest_ms);
    expect(store.totals.end(ALL) - store.totals.first(ALL)).toBe(601);
    expect(store.marks).toEqual([]);
    expect(store.firstConditions).toMatchObject({ locks: 'rw' });
    expect(store.samples.list({ from_ms: 0, to_ms: oldest_ms - 200_000 })).toEqual([]);
    for (const lane of store.records.lanes(ALL, 'heat', 10)) {
      const times: number[] = [];
      lane.queues(ALL, (at_ms) => times.push(at_ms));
      lane.phases(ALL, (_, __, ended_ms) => times.push(ended_ms));
      // Old rows are dropped only once in 25 frames.
      expect(Math.min(...times)).toBeGreaterThanOrEqual(oldest_ms - 25_000);
    }
  });

  it('holds no more ticks than its capacity if frames arrive too fast', () => {
    const cluster = new SyntheticCluster({ frame_ms: 20, hotRecords: 1, conflicts: 1, waiters: 0, samples: 0 });
    const store = new TelemetryStore();
    let [expected, commits] = [0, 0];
    for (let frame = 0; frame < 10_000; frame += 1) {
      const message = cluster.frame();
      commits = message.shards.reduce((sum, { telemetry }) => sum + telemetry.commits, 0);
      if (frame >= 10_000 - 8_192) expected += commits;
      store.take(message);
    }
    expect(store.totals.sum(ALL, 'commits')).toBe(expected);
    expect(store.totals.value(store.totals.end(ALL) - 1, 'commits')).toBe(commits);
  });

  it('starts over if the clock goes back far, and tolerates a small step back', () => {
    const cluster = new SyntheticCluster();
    const store = new TelemetryStore();
    for (const message of cluster.messages(20)) store.take(message);
    const newest_ms = store.newest_ms!;
    const frame = cluster.frame();
    store.take({ ...frame, at_ms: newest_ms - 1_000 });
    expect(store.newest_ms).toBe(newest_ms);
    expect(store.totals.end(ALL) - store.totals.first(ALL)).toBe(21);
    store.take({ ...frame, at_ms: newest_ms - 60_000 });
    expect([store.newest_ms, store.oldest_ms]).toEqual([newest_ms - 60_000, newest_ms - 60_000]);
    expect(store.totals.sum(ALL, 'commits')).toBe(frame.shards.reduce((sum, { telemetry }) => sum + telemetry.commits, 0));
  });

  it('treats frames after clear() as the first ones', () => {
    const cluster = new SyntheticCluster();
    const store = new TelemetryStore();
    for (const message of cluster.messages(20)) store.take(message);
    const before = store.version;
    store.clear();
    expect(store.version).toBeGreaterThan(before);
    expect([store.newest_ms, store.conditions, store.marks.length]).toEqual([null, null, 0]);
    expect(store.conflicts.rows(ALL)).toEqual([]);
    expect(store.waiters.at(Infinity)).toBeNull();
    store.take({ ...cluster.frame(), shards: [] });
    expect(store.totals.value(store.totals.first(ALL), 'inFlight')).toBe(0);
    expect(store.totals.sum(ALL, 'commits')).toBe(0);
  });

  it('keeps each mark once and in order, however often new connections repeat it', () => {
    const cluster = new SyntheticCluster();
    const store = new TelemetryStore();
    const [one, other] = [
      cluster.change({ phasing: false }),
      { kind: 'mark', id: 'early', at_ms: 1, what: { note: 'load test' } } as const,
    ];
    store.take(one);
    store.take({ ...cluster.welcome(), marks: [other, one] });
    store.take({ ...cluster.welcome(), marks: [other, one] });
    expect(store.marks).toEqual([
      { id: 'early', at_ms: 1, what: other.what },
      { id: one.id, at_ms: one.at_ms, what: one.what },
    ]);
  });
});

describe('a fading log', () => {
  it('keeps all of the newest entries and ever fewer of older ones, within its weight limit', () => {
    const seed = `${Date.now()}`;
    const chance = seeded(seed);
    const forgotten = new Set<number>();
    const log = new FadingLog<{ at_ms: number; weight: number }>(1_000, ({ at_ms }) => forgotten.add(at_ms));
    const kept = () => Array.from({ length: log.length }, (_, index) => log.at(index)!);
    for (let at_ms = 0; at_ms < 20_000; at_ms += 1) {
      log.add({ at_ms, weight: chance.integer(1, 9) }, at_ms - 10_000);
      if (at_ms % 16 === 0)
        expect(
          kept().reduce((total, { weight }) => total + weight, 0),
          `seed ${seed}`,
        ).toBeLessThanOrEqual(1_000);
    }
    const times = kept().map(({ at_ms }) => at_ms);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.slice(-16)).toEqual(Array.from({ length: 16 }, (_, back) => 19_984 + back));
    for (const [from_ms, to_ms] of [
      [10_000, 14_000],
      [14_000, 17_000],
      [17_000, 19_000],
      [19_000, 20_000],
    ] as const) {
      expect(times.filter((at_ms) => at_ms >= from_ms && at_ms < to_ms).length, `${from_ms}, seed ${seed}`).toBeGreaterThan(3);
    }
    expect(forgotten.size + times.length).toBe(20_000);
    for (const at_ms of times) expect(forgotten).not.toContain(at_ms);
    expect(log.search(19_990)).toBe(times.indexOf(19_990));
  });

  it('handles entries that all have the same time, and an entry that alone exceeds the limit', () => {
    const log = new FadingLog<{ at_ms: number; weight: number }>(100);
    for (let turn = 0; turn < 500; turn += 1) log.add({ at_ms: 7, weight: 3 }, 0);
    expect(log.length).toBeGreaterThan(0);
    expect(log.length).toBeLessThanOrEqual(33);
    log.add({ at_ms: 8, weight: 1_000 }, 0);
    expect([log.length, log.at(0)]).toEqual([1, { at_ms: 8, weight: 1_000 }]);
  });
});
