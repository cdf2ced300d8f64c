// Window: the state of the cluster over about the last second: the counts of the shards as rates, and the present values.

import { latencyBoundMs } from '../../telemetry/index.ts';
import type { Conflict, FrameMessage, HotRecord, ShardTelemetry, Waiter } from '../../telemetry/index.ts';

export interface Rates {
  commits: number;
  retries: number;
  aborts: number;
  conflicts: number;
  operations: number;
  /** among the operations */
  natives: number;
  /** attempts sent whole, in a chain */
  members: number;
}

export interface RecordRates {
  key: string;
  type: string;
  operations: number;
  conflicts: number;
  /** the present numbers of operations that hold the record and that wait for it */
  holders: number;
  waiting: number;
  /** the present modes that are not empty */
  modes: HotRecord['modes'];
}

/** A pair of operations of which one blocked the other, or broke it, with their transactions. */
export interface PairRate {
  waiter: { label: string; operation: string };
  holder: { label: string; operation: string };
  outcome: Conflict['outcome'];
  conflicts: number;
}

export interface Picture {
  at: Date;
  /** per second */
  rates: Rates;
  /** of commits, in ms from the begin of their transaction; null if there were none */
  p50Ms: number | null;
  p99Ms: number | null;
  running: number;
  waiting: number;
  records: number;
  /** shards that have not reported lately */
  silent: number[];
  /** hottest first */
  hotRecords: RecordRates[];
  /** most frequent first */
  pairs: PairRate[];
  /** the longest waits first */
  waiters: Waiter[];
}

export class Window {
  #frames: FrameMessage[] = [];
  readonly #last = new Map<number, ShardTelemetry>();

  take(frame: FrameMessage): void {
    this.#frames.push(frame);
    for (const { shard, telemetry } of frame.shards) this.#last.set(shard, telemetry);
    for (const shard of frame.silent) this.#last.delete(shard);
  }

  /** The picture of all frames since the last picture. Null if there was none. */
  picture(): Picture | null {
    const frames = this.#frames;
    if (frames.length === 0) return null;
    this.#frames = [];
    const reports = frames.flatMap(({ shards }) => shards);
    const elapsedMs = new Map<number, number>();
    for (const { shard, telemetry } of reports) elapsedMs.set(shard, (elapsedMs.get(shard) ?? 0) + telemetry.elapsedMs);
    const perSecond = (shard: number, amount: number) => (amount * 1_000) / Math.max(1, elapsedMs.get(shard)!);
    const rate = (read: (telemetry: ShardTelemetry) => number) =>
      reports.reduce((total, { shard, telemetry }) => total + perSecond(shard, read(telemetry)), 0);
    const now = [...this.#last.values()];
    const latencies = reports.flatMap(({ telemetry }) => telemetry.latencies);
    const newest = frames.at(-1)!;
    return {
      at: new Date(newest.at_ms),
      rates: {
        commits: rate(({ homeCommits, warrantedCommits }) => homeCommits + warrantedCommits),
        retries: rate(({ retries }) => retries),
        aborts: rate(({ aborts }) => sum(Object.values(aborts))),
        conflicts: rate(conflictsOf),
        operations: rate(({ operations }) => operations),
        natives: rate(({ natives }) => natives),
        members: rate(({ members = 0 }) => members),
      },
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      running: sum(now.map(({ inFlight }) => inFlight)),
      waiting: sum(now.map(({ waiting }) => waiting)),
      records: sum(now.map(({ records }) => records)),
      silent: newest.silent,
      hotRecords: hotRecordsOf(reports, perSecond),
      pairs: pairsOf(reports, perSecond),
      waiters: now.flatMap(({ waiters }) => waiters).sort((one, other) => other.waitedMs - one.waitedMs),
    };
  }
}

type ShardReports = FrameMessage['shards'];
type PerSecond = (shard: number, amount: number) => number;

const sum = (amounts: readonly number[]): number => amounts.reduce((total, each) => total + each, 0);
const conflictsOf = ({ conflicts, conflictsLeftOut }: ShardTelemetry): number =>
  conflictsLeftOut + sum(conflicts.map(({ count }) => count));

function hotRecordsOf(reports: ShardReports, perSecond: PerSecond): RecordRates[] {
  const byKey = new Map<string, RecordRates>();
  const heats = new Map<string, number>();
  for (const { shard, telemetry } of reports) {
    for (const { key, type, heat, operations, conflicts, waiting, modes } of telemetry.hotRecords) {
      const before = byKey.get(key);
      heats.set(key, heat);
      byKey.set(key, {
        key,
        type,
        waiting,
        modes,
        holders: sum(modes.map(({ holders }) => holders)),
        operations: (before?.operations ?? 0) + perSecond(shard, operations),
        conflicts: (before?.conflicts ?? 0) + perSecond(shard, conflicts),
      });
    }
  }
  // Records that are no longer in use are not shown.
  const active = [...byKey.values()].filter(({ operations, waiting }) => operations > 0 || waiting > 0);
  return active.sort((one, other) => heats.get(other.key)! - heats.get(one.key)!);
}

function pairsOf(reports: ShardReports, perSecond: PerSecond): PairRate[] {
  const byPair = new Map<string, PairRate>();
  for (const { shard, telemetry } of reports) {
    for (const conflict of telemetry.conflicts) {
      const name = nameOf(conflict);
      const pair = byPair.get(name) ?? newPair(conflict);
      pair.conflicts += perSecond(shard, conflict.count);
      byPair.set(name, pair);
    }
  }
  return [...byPair.values()].sort((one, other) => other.conflicts - one.conflicts);
}

const nameOf = ({ holderLabel, holderOperation, comerLabel, comerOperation, outcome }: Conflict): string =>
  JSON.stringify([holderLabel, holderOperation, comerLabel, comerOperation, outcome]);

const newPair = ({ holderLabel, holderOperation, comerLabel, comerOperation, outcome }: Conflict): PairRate => ({
  waiter: { label: comerLabel, operation: comerOperation },
  holder: { label: holderLabel, operation: holderOperation },
  outcome,
  conflicts: 0,
});

/** Interpolated within a bucket. A value beyond the last bound counts as that bound. */
function quantile(latencies: readonly [number, number][], share: number): number | null {
  const counts = new Map<number, number>();
  for (const [bucket, count] of latencies) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  let left = share * sum([...counts.values()]);
  if (counts.size === 0) return null;
  let highestMs = 0;
  for (const bucket of [...counts.keys()].sort((one, other) => one - other)) {
    const count = counts.get(bucket)!;
    const fromMs = bucket === 0 ? 0 : latencyBoundMs(bucket - 1);
    const toMs = latencyBoundMs(bucket);
    if (toMs === Infinity) return fromMs;
    if (left <= count) return fromMs + (toMs - fromMs) * (left / count);
    left -= count;
    highestMs = toMs;
  }
  return highestMs;
}
