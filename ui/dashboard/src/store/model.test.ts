// The store against the simplest correct model: the list of all messages, filtered by span.
import { describe, expect, it } from 'vitest';
import { seeded, type Seeded } from '../../../kit/seeded.ts';
import { LATENCY_BUCKETS, latencyBoundMs, type FrameMessage, type HotRecord, type ShardTelemetry } from '@claret/client/telemetry';
import { SyntheticCluster } from '../testing/synthetic.ts';
import { TelemetryStore, type Span } from './telemetryStore.ts';

const SEEDS = ['one', 'two', `${Date.now()}`];
const ALL: Span = { from_ms: -Infinity, to_ms: Infinity };

/** Frames as a real cluster sends them: shards are late, report twice, and mention some records only now and then. */
function story(chance: Seeded, seed: string): FrameMessage[] {
  const cluster = new SyntheticCluster({ seed, shards: 3, hotRecords: 5, conflicts: 12, waiters: 4, samples: 2, frame_ms: 250 });
  const frames: FrameMessage[] = [];
  let late: FrameMessage['shards'] = [];
  for (let number = 1; number <= 160; number += 1) {
    const frame = cluster.frame();
    const told = [...late, ...frame.shards];
    late = chance.chance(0.1) ? told.splice(told.length - 1, 1) : [];
    for (const { telemetry } of told) telemetry.hotRecords = telemetry.hotRecords.filter(() => chance.chance(0.9));
    const silent = [0, 1, 2].filter((shard) => !told.some((one) => one.shard === shard));
    frames.push({ ...frame, number, shards: told, silent });
  }
  return frames;
}

function takenBy(frames: readonly FrameMessage[]): TelemetryStore {
  const store = new TelemetryStore();
  for (const frame of frames) store.take(frame);
  return store;
}

function within(frames: readonly FrameMessage[], { from_ms, to_ms }: Span): FrameMessage[] {
  return frames.filter(({ at_ms }) => at_ms >= from_ms && at_ms < to_ms);
}

const telemetryOf = (frames: readonly FrameMessage[]) => frames.flatMap(({ shards }) => shards.map(({ telemetry }) => telemetry));
const sum = <T>(all: readonly T[], amount: (one: T) => number) => all.reduce((total, one) => total + amount(one), 0);

/** Spans of all kinds: inside, across the ends, exactly on a frame, empty, reversed. */
function spans(chance: Seeded, frames: readonly FrameMessage[]): Span[] {
  const [first_ms, last_ms] = [frames[0]!.at_ms, frames.at(-1)!.at_ms];
  const any = () => chance.between(first_ms - 5_000, last_ms + 5_000);
  const exact = () => chance.pick(frames).at_ms;
  const random = Array.from({ length: 12 }, (_, turn) => ({ from_ms: turn % 2 ? any() : exact(), to_ms: turn % 3 ? any() : exact() }));
  return [ALL, ...random];
}

/** One story for each seed; tests do not modify it. */
const STORIES = SEEDS.map((seed) => {
  const chance = seeded(seed);
  const frames = story(chance, seed);
  return { frames, store: takenBy(frames), spans: spans(chance, frames), chance };
});

function eachSpan(check: (frames: FrameMessage[], store: TelemetryStore, span: Span) => void): void {
  for (const { frames, store, spans: all } of STORIES) for (const span of all) check(within(frames, span), store, span);
}

describe(`the store against a list of messages (seeds ${SEEDS.join(', ')})`, () => {
  it('adds up totals', () => {
    eachSpan((frames, { totals }, span) => {
      const told = telemetryOf(frames);
      expect(totals.end(span) - totals.first(span)).toBe(frames.length);
      expect(totals.sum(span, 'committed')).toBe(sum(told, ({ homeCommits }) => homeCommits));
      expect(totals.sum(span, 'commits')).toBe(sum(told, ({ commits }) => commits));
      expect(totals.sum(span, 'retries')).toBe(sum(told, ({ retries }) => retries));
      expect(totals.sum(span, 'aborts')).toBe(sum(told, ({ aborts }) => sum(Object.values(aborts), (count) => count)));
      expect(totals.sum(span, 'conflicts')).toBe(sum(told, (one) => one.conflictsLeftOut + sum(one.conflicts, ({ count }) => count)));
    });
  });

  it('returns each tick as it was reported', () => {
    eachSpan((frames, { totals }, span) => {
      frames.forEach(({ at_ms, shards }, index) => {
        const tick = totals.first(span) + index;
        const told = shards.map(({ telemetry }) => telemetry);
        expect(totals.at(tick)).toBe(at_ms);
        expect(totals.elapsed(tick)).toBe(250);
        expect(totals.value(tick, 'operations')).toBe(sum(told, ({ operations }) => operations));
        const waited = totals.causes().map((cause) => totals.waited(tick, cause));
        expect(totals.waited(tick, 'thrown_away')).toBeCloseTo(
          sum(told, ({ thrownAwayMs }) => thrownAwayMs),
          3,
        );
        expect(totals.waited(tick, 'backing_off')).toBeCloseTo(
          sum(told, ({ backingOffMs }) => backingOffMs),
          3,
        );
        expect(totals.waited(tick, 'queued')).toBeCloseTo(
          sum(told, ({ queuedMs }) => queuedMs),
          3,
        );
        const before = sum(told, ({ thrownAwayMs, backingOffMs, queuedMs }) => thrownAwayMs + backingOffMs + queuedMs);
        expect(sum(waited, (ms) => ms)).toBeCloseTo(
          before + sum(told, ({ waits }) => sum(Object.values(waits), ({ totalMs }) => totalMs)),
          3,
        );
        const running = sum(told, ({ latencyTotalMs }) => latencyTotalMs) - sum(waited, (ms) => ms);
        expect(totals.running(tick)).toBeCloseTo(Math.max(0, running), 2);
      });
    });
  });

  it('computes gauges from the last report of each shard', () => {
    for (const { frames, store } of STORIES) {
      const { totals } = store;
      const last = new Map<number, ShardTelemetry>();
      frames.forEach(({ shards }, tick) => {
        for (const { shard, telemetry } of shards) last.set(shard, telemetry);
        expect(totals.value(tick, 'inFlight')).toBe(sum([...last.values()], ({ inFlight }) => inFlight));
      });
    }
  });

  it('returns quantiles of latencies within the right bucket', () => {
    eachSpan((frames, { totals }, span) => {
      const counts = Array<number>(LATENCY_BUCKETS).fill(0);
      for (const [bucket, count] of telemetryOf(frames).flatMap(({ latencies }) => latencies)) counts[bucket]! += count;
      const commits = sum(counts, (count) => count);
      for (const quantile of [0, 0.5, 0.99, 1]) {
        const told_ms = totals.latency(span, quantile);
        if (commits === 0) {
          expect(told_ms).toBeNull();
          continue;
        }
        let slower = commits - Math.max(1, Math.ceil(quantile * commits));
        const bucket = counts.findLastIndex((count) => (slower -= count) < 0);
        expect(told_ms).toBeGreaterThanOrEqual(bucket === 0 ? 0 : latencyBoundMs(bucket - 1));
        expect(told_ms).toBeLessThanOrEqual(latencyBoundMs(bucket));
      }
    });
  });

  it('adds up conflicts by pair, most frequent first', () => {
    eachSpan((frames, { conflicts }, span) => {
      const expected = new Map<string, number>();
      for (const row of telemetryOf(frames).flatMap((one) => one.conflicts)) {
        const pair = [row.holderLabel, row.comerLabel, row.holderOperation, row.comerOperation].join('|');
        expected.set(pair, (expected.get(pair) ?? 0) + row.count);
      }
      const rows = conflicts.rows(span);
      const told = new Map(
        rows.map((row) => [[row.holderLabel, row.comerLabel, row.holderOperation, row.comerOperation].join('|'), row.count]),
      );
      for (const [pair, count] of expected) if (count === 0) expected.delete(pair);
      expect(told).toEqual(expected);
      expect(told.size).toBe(rows.length);
      expect(rows.map(({ count }) => count)).toEqual(rows.map(({ count }) => count).sort((one, other) => other - one));
      expect(conflicts.leftOut(span)).toBe(sum(telemetryOf(frames), ({ conflictsLeftOut }) => conflictsLeftOut));
    });
  });

  it('counts operations of records, also in buckets, and ranks the records', () => {
    eachSpan((frames, { records }, span) => {
      const told = frames.flatMap(({ at_ms, shards }) =>
        shards.flatMap(({ telemetry }) => telemetry.hotRecords.map((record) => ({ at_ms, record }))),
      );
      const keys = new Set(told.map(({ record }) => record.key));
      const worth = (key: string) => sum(told, ({ record }) => (record.key === key ? record.conflicts : 0));
      const ranked = records.lanes(span, 'conflicts', 7);
      expect(ranked.map(({ key }) => worth(key))).toEqual(
        [...keys]
          .map(worth)
          .filter((count) => count > 0)
          .sort((one, other) => other - one)
          .slice(0, 7),
      );
      for (const lane of ranked) {
        const own = told.filter(({ record }) => record.key === lane.key);
        const counts = lane.counts(span);
        expect(counts.operations).toBe(sum(own, ({ record }) => record.operations));
        expect(counts.waits).toBe(sum(own, ({ record }) => record.waits));
        expect(counts.waitMs).toBeCloseTo(
          sum(own, ({ record }) => record.waitMs),
          3,
        );
        if (!Number.isFinite(span.from_ms)) continue;
        const buckets = new Float64Array(9);
        lane.buckets(span, 1_000, 'operations', buckets);
        buckets.forEach((count, bucket) => {
          const inBucket = own.filter(({ at_ms }) => Math.floor((at_ms - span.from_ms) / 1_000) === bucket);
          expect(count).toBe(sum(inBucket, ({ record }) => record.operations));
        });
      }
    });
  });

  it('returns queues as they were, and zeros once when they have emptied', () => {
    for (const { frames, store, spans: all } of STORIES) {
      const { records } = store;
      for (const lane of records.lanes(ALL, 'heat', 4)) {
        const expected: [at_ms: number, mode: string, holders: number, waiting: number][] = [];
        let before: string[] = [];
        for (const { at_ms, telemetry } of frames.flatMap(({ shards }) => shards.filter(({ shard }) => shard === lane.shard))) {
          const modes = telemetry.hotRecords.find(({ key }) => key === lane.key)?.modes ?? [];
          for (const { mode, holders, waiting } of modes) expected.push([at_ms, mode, holders, waiting]);
          const now = modes.map(({ mode }) => mode);
          for (const mode of before) if (!now.includes(mode)) expected.push([at_ms, mode, 0, 0]);
          before = now;
        }
        for (const span of all) {
          const told: typeof expected = [];
          lane.queues(span, (at_ms, mode, holders, waiting) => told.push([at_ms, records.modes[mode]!, holders, waiting]));
          expect(told).toEqual(expected.filter(([at_ms]) => at_ms >= span.from_ms && at_ms < span.to_ms));
        }
      }
    }
  });

  it('shows who waited at any time', () => {
    for (const { frames, store, chance } of STORIES) {
      const { waiters } = store;
      expect(waiters.at(frames[0]!.at_ms - 1)).toBeNull();
      for (let turn = 0; turn < 50; turn += 1) {
        const at_ms = chance.between(frames[0]!.at_ms, frames.at(-1)!.at_ms + 1_000);
        const frame = frames.findLast((one) => one.at_ms <= at_ms)!;
        const told = waiters.at(at_ms)!;
        expect(told.at_ms).toBe(frame.at_ms);
        const last = new Map(frame.shards.map(({ shard, telemetry }) => [shard, telemetry.waiters]));
        expect(told.waiters).toHaveLength(sum([...last.values()], (one) => one.length));
        expect(told.waiters).toEqual(told.waiters.toSorted((one, other) => other.waitedMs - one.waitedMs));
      }
    }
  });

  it('joins samples by transaction, newest first', () => {
    eachSpan((frames, { samples }, span) => {
      const listed = samples.list(span, { outcome: 'committed' });
      expect(listed).toEqual(listed.toSorted((one, other) => other.ended_ms - one.ended_ms));
      for (const { outcome, begun_ms, ended_ms } of listed) {
        expect(outcome).toBe('committed');
        expect(begun_ms < span.to_ms && ended_ms >= span.from_ms).toBe(true);
      }
      const inside = frames.flatMap(({ shards }) =>
        shards.flatMap(({ at_ms, telemetry }) =>
          telemetry.samples.filter(
            ({ outcome, endedAgoMs }) => outcome === 'committed' && at_ms - endedAgoMs < span.to_ms && at_ms - endedAgoMs >= span.from_ms,
          ),
        ),
      );
      const known = new Set(listed.map(({ transaction }) => transaction));
      for (const { transaction } of inside) expect(known).toContain(transaction);
    });
  });
});

describe('phases', () => {
  /** The true phases, from the reports: a phase that is reported again has the same mode and beginning. */
  const truth = (frames: readonly FrameMessage[]) => {
    const phases = new Map<string, Map<string, { mode: string; began_ms: number; ended_ms: number; letIn: number }>>();
    for (const { shards } of frames) {
      for (const { at_ms, telemetry } of shards) {
        for (const { key, phases: ended, phase } of telemetry.hotRecords) {
          const own = phases.get(key) ?? new Map();
          phases.set(key, own);
          for (const one of [...ended, ...(phase ? [phase] : [])]) {
            const began_ms = at_ms - one.agoMs;
            own.set(`${one.mode} ${began_ms.toFixed(1)}`, {
              mode: one.mode,
              began_ms,
              ended_ms: began_ms + one.lengthMs,
              letIn: one.letIn,
            });
          }
        }
      }
    }
    return phases;
  };
  const shownIn = ({ records }: TelemetryStore, key: string, span = ALL) => {
    const shown: { mode: string; began_ms: number; ended_ms: number; letIn: number }[] = [];
    records
      .lane(key)!
      .phases(span, (mode, began_ms, ended_ms, letIn) => shown.push({ mode: records.modes[mode]!, began_ms, ended_ms, letIn }));
    return shown;
  };

  it.each([40, 300, 2_000])('that last about %i ms are each shown once, with their length', (phase_ms) => {
    for (const seed of SEEDS) {
      const frames = [...new SyntheticCluster({ seed, phase_ms, hotRecords: 4 }).messages(150)].filter(
        (message) => message.kind === 'frame',
      );
      const store = takenBy(frames);
      for (const [key, own] of truth(frames)) {
        const shown = shownIn(store, key);
        const expected = [...own.values()];
        expect(shown.length).toBe(expected.length);
        shown.forEach((phase, index) => {
          expect(phase.mode).toBe(expected[index]!.mode);
          expect(phase.letIn).toBe(expected[index]!.letIn);
          expect(phase.began_ms).toBeCloseTo(expected[index]!.began_ms, 1);
          expect(phase.ended_ms).toBeCloseTo(expected[index]!.ended_ms, 1);
        });
      }
    }
  });

  it('keep their number and never overlap when frames arrive unevenly', () => {
    for (const seed of SEEDS) {
      const chance = seeded(seed);
      const frames = [...new SyntheticCluster({ seed, phase_ms: 400, hotRecords: 4 }).messages(150)].filter(
        (message) => message.kind === 'frame',
      );
      const expected = truth(frames);
      const late = structuredClone(frames);
      for (const { shards } of late) for (const told of shards) told.at_ms += chance.between(0, 40);
      const store = takenBy(late);
      for (const [key, own] of expected) {
        const shown = shownIn(store, key);
        expect(shown.map(({ mode }) => mode)).toEqual([...own.values()].map(({ mode }) => mode));
        for (let at = 1; at < shown.length; at += 1) expect(shown[at]!.began_ms).toBeGreaterThanOrEqual(shown[at - 1]!.ended_ms);
      }
    }
  });

  it('may follow each other in the same mode', () => {
    for (const seed of SEEDS) {
      const frames = [...new SyntheticCluster({ seed, phase_ms: 150, hotRecords: 4 }).messages(150)].filter(
        (message) => message.kind === 'frame',
      );
      for (const { phase, phases } of telemetryOf(frames).flatMap(({ hotRecords }) => hotRecords)) {
        for (const one of [phase!, ...phases]) one.mode = 'exclusive';
      }
      const store = takenBy(frames);
      for (const [key, own] of truth(frames))
        expect(shownIn(store, key).map(({ letIn }) => letIn)).toEqual([...own.values()].map(({ letIn }) => letIn));
    }
  });

  it('are not confused with others when frames are missing', () => {
    for (const seed of SEEDS) {
      const chance = seeded(seed);
      const frames = [...new SyntheticCluster({ seed, phase_ms: 500, hotRecords: 4 }).messages(150)].filter(
        (message) => message.kind === 'frame',
      );
      const left = frames.filter(() => chance.chance(0.7));
      const store = takenBy(left);
      for (const [key, own] of truth(left)) {
        expect(shownIn(store, key).map(({ letIn }) => letIn)).toEqual([...own.values()].map(({ letIn }) => letIn));
      }
    }
  });

  it('that touch a span are returned for it', () => {
    for (const seed of SEEDS) {
      const chance = seeded(seed);
      const frames = [...new SyntheticCluster({ seed, hotRecords: 2 }).messages(200)].filter((message) => message.kind === 'frame');
      const store = takenBy(frames);
      const { key } = frames[0]!.shards[0]!.telemetry.hotRecords[0] as HotRecord;
      const all = shownIn(store, key);
      for (const span of spans(chance, frames)) {
        expect(shownIn(store, key, span)).toEqual(all.filter((one) => one.began_ms < span.to_ms && one.ended_ms >= span.from_ms));
      }
    }
  });

  it('of a shard that has fallen silent end', () => {
    const cluster = new SyntheticCluster({ phase_ms: 100_000, hotRecords: 1 });
    const store = takenBy([cluster.frame(), cluster.frame()]);
    const told_ms = store.newest_ms!;
    const key = store.records.lanes(ALL, 'heat', 1)[0]!.key;
    for (let turn = 0; turn < 10; turn += 1) store.take({ ...cluster.frame(), shards: [] });
    expect(shownIn(store, key).at(-1)!.ended_ms).toBeCloseTo(told_ms, 3);
  });
});
