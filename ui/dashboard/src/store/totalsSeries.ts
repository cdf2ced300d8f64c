// The cluster's figures over time: counts summed over all shards, gauges such as transactions in flight, commit latencies, and
// times waited by cause.
//
// A count belongs to the tick that reported it. A gauge is the sum of the last values of all shards; a shard that is briefly silent
// keeps its last value.
import { FRAME_TOTALS, LATENCY_BUCKETS, latencyBoundMs } from '@claret/client/telemetry';
import type { FrameTotal, ShardTelemetry } from '@claret/client/telemetry';
import type { Span } from './span.ts';
import { NamedTotals } from './namedTotals.ts';
import { RunningTotals, type Ticks } from './ticks.ts';

const total = (amounts: Record<string, number>) => {
  let sum = 0;
  for (const name in amounts) sum += amounts[name]!;
  return sum;
};

/** The code of members whose forecast was wrong. */
const WITHDRAWN = 'withdrawn';

/**
 * Counts made of others. `committed`: transactions, also those that needed no message, while `commits` are their branches, one at each shard
 * involved; `withdrawn`: members taken out, among `aborts`; `cameBack`: times that a member was not committed in an epoch, and is gathered again.
 */
const MADE = {
  committed: ({ homeCommits, warrantedCommits }: ShardTelemetry) => homeCommits + warrantedCommits,
  aborts: ({ aborts }: ShardTelemetry) => total(aborts),
  withdrawn: ({ aborts }: ShardTelemetry) => aborts[WITHDRAWN] ?? 0,
  conflicts: ({ conflicts, conflictsLeftOut }: ShardTelemetry) => conflicts.reduce((sum, { count }) => sum + count, conflictsLeftOut),
  cameBack: ({ epochContested, epochIncomplete }: ShardTelemetry) => epochContested + epochIncomplete,
};

/** Those, and every plain sum that frames have (server-core/src/counters/counters.def). */
export const COUNTS = [...(Object.keys(MADE) as (keyof typeof MADE)[]), ...FRAME_TOTALS.map(({ name }) => name)] as const;
const READS = COUNTS.map((name) =>
  name in MADE ? MADE[name as keyof typeof MADE] : (frame: ShardTelemetry) => frame[name as FrameTotal['name']],
);
const GAUGES = ['inFlight', 'waiting', 'inDoubt', 'records', 'sessions', 'grantsStanding'] as const;

export type CountName = (typeof COUNTS)[number];
export type GaugeName = (typeof GAUGES)[number];
export type TotalName = CountName | GaugeName;

/** The number of causes of waits, and of reasons, that are kept apart. */
const CAUSES_MAX = 16;
/** Time that natives wait is no part of any transaction. */
const NATIVE_CAUSE = 'native_wait';

/** How long the gauges of a silent shard remain valid. */
const SILENCE_MS = 2_000;

const COUNT_OF = new Map<TotalName, number>(COUNTS.map((name, index) => [name, index]));
const GAUGE_OF = new Map<TotalName, number>(GAUGES.map((name, index) => [name, index]));
const BOUNDS_MS = Float64Array.from({ length: LATENCY_BUCKETS }, (_, bucket) => latencyBoundMs(bucket));

export class TotalsSeries {
  private readonly ticks: Ticks;
  private readonly counts: RunningTotals;
  private readonly waits: NamedTotals;
  /** broken chains, and batches that stood back, by reason */
  readonly breaks: NamedTotals;
  readonly standBacks: NamedTotals;
  private readonly latencies: RunningTotals;
  /** ms that commits took */
  private readonly took: RunningTotals;
  private readonly gauges: Float64Array;
  private readonly toldLast = new Map<number, { at_ms: number; gauges: Float64Array }>();

  constructor(ticks: Ticks) {
    this.ticks = ticks;
    this.counts = new RunningTotals(ticks, COUNTS.length);
    this.waits = new NamedTotals(ticks, CAUSES_MAX);
    this.breaks = new NamedTotals(ticks, CAUSES_MAX);
    this.standBacks = new NamedTotals(ticks, CAUSES_MAX);
    this.latencies = new RunningTotals(ticks, LATENCY_BUCKETS);
    this.took = new RunningTotals(ticks, 1);
    this.gauges = new Float64Array(ticks.capacity * GAUGES.length);
  }

  /** Takes the shards' reports of the newest tick. */
  take(told: readonly { shard: number; telemetry: ShardTelemetry }[]): void {
    for (const totals of [this.counts, this.waits, this.breaks, this.standBacks, this.latencies, this.took]) totals.begin();
    const at_ms = this.ticks.at(this.ticks.end - 1);
    for (const { shard, telemetry } of told) {
      this.count(telemetry);
      const gauges = Float64Array.from(GAUGES, (name) => telemetry[name]);
      this.toldLast.set(shard, { at_ms, gauges });
    }
    const row = this.ticks.slot(this.ticks.end - 1) * GAUGES.length;
    this.gauges.fill(0, row, row + GAUGES.length);
    for (const [shard, last] of this.toldLast) {
      if (at_ms - last.at_ms > SILENCE_MS) this.toldLast.delete(shard);
      else for (let gauge = 0; gauge < GAUGES.length; gauge += 1) this.gauges[row + gauge]! += last.gauges[gauge]!;
    }
  }

  /** Called when the ticks are forgotten: forgets the gauges too. */
  clear(): void {
    this.toldLast.clear();
  }

  /** Ticks [first(span), end(span)), for `at(tick)` and the others; a tick is in the span in which it ends. */
  first(span: Span): number {
    return this.ticks.within(span)[0];
  }

  end(span: Span): number {
    return this.ticks.within(span)[1];
  }

  /** When the tick ended, ms. */
  at(tick: number): number {
    return this.ticks.at(tick);
  }

  /** The length of time that the tick's counts cover, ms; less than the time since the previous tick if frames are missing. */
  elapsed(tick: number): number {
    return this.ticks.elapsed(tick);
  }

  value(tick: number, name: TotalName): number {
    const gauge = GAUGE_OF.get(name);
    if (gauge !== undefined) return this.gauges[this.ticks.slot(tick) * GAUGES.length + gauge]!;
    return this.counts.sum(tick, tick + 1, COUNT_OF.get(name)!);
  }

  /**
   * ms that transactions spent in this state rather than running; 0 for an unknown one. `thrown_away`: in attempts that were
   * aborted, less their waits; `backing_off`: between attempts; `queued`: at the app server, until fewer transactions ran. These
   * three count when the transaction commits. Other names are causes of waits at shards, which count when the wait ends.
   */
  waited(tick: number, cause: string): number {
    return this.waits.sum(tick, tick + 1, cause);
  }

  /** In the order in which they were first reported. */
  causes(): readonly string[] {
    return this.waits.names;
  }

  /**
   * ms that the tick's commits took from the beginning of their transactions, less the time `waited`: running and voting. An
   * estimate, because waits are subtracted when they end, including those of transactions that are given up; never negative.
   */
  running(tick: number): number {
    return Math.max(0, this.took.sum(tick, tick + 1, 0) - this.waits.sumOfAll(tick, tick + 1));
  }

  /**
   * The quantile (0..1) of the latencies of the span's commits, in ms from the beginning of the transaction; interpolated within a
   * bucket. Null without commits. Beyond the last bound it is that bound.
   */
  latency(span: Span, quantile: number): number | null {
    const [first, end] = this.ticks.within(span);
    let commits = 0;
    for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket += 1) commits += this.latencies.sum(first, end, bucket);
    if (commits === 0) return null;
    let left = Math.min(Math.max(quantile, 0), 1) * commits;
    let highest_ms = 0;
    for (let bucket = 0; bucket < LATENCY_BUCKETS; bucket += 1) {
      const count = this.latencies.sum(first, end, bucket);
      if (count === 0) continue;
      const from_ms = bucket === 0 ? 0 : BOUNDS_MS[bucket - 1]!;
      const to_ms = BOUNDS_MS[bucket]!;
      if (to_ms === Infinity) return from_ms;
      if (left <= count) return from_ms + (to_ms - from_ms) * (left / count);
      left -= count;
      highest_ms = to_ms;
    }
    return highest_ms;
  }

  /** For a count, the sum over the span; for a gauge, the mean. */
  sum(span: Span, name: TotalName): number {
    const [first, end] = this.ticks.within(span);
    const count = COUNT_OF.get(name);
    if (count !== undefined) return this.counts.sum(first, end, count);
    let sum = 0;
    for (let tick = first; tick < end; tick += 1) sum += this.value(tick, name);
    return end === first ? 0 : sum / (end - first);
  }

  /** The rate of a count over the time covered by reports; null without reports. */
  perSecond(span: Span, name: CountName): number | null {
    const [first, end] = this.ticks.within(span);
    let elapsed_ms = 0;
    for (let tick = first; tick < end; tick += 1) elapsed_ms += this.ticks.elapsed(tick);
    return elapsed_ms > 0 ? (this.counts.sum(first, end, COUNT_OF.get(name)!) / elapsed_ms) * 1_000 : null;
  }

  private count(telemetry: ShardTelemetry): void {
    for (let count = 0; count < READS.length; count += 1) this.counts.add(count, READS[count]!(telemetry));
    for (const reason in telemetry.breaks) this.breaks.add(reason, telemetry.breaks[reason]!);
    for (const reason in telemetry.standBacks) this.standBacks.add(reason, telemetry.standBacks[reason]!);
    for (const cause in telemetry.waits) if (cause !== NATIVE_CAUSE) this.waits.add(cause, telemetry.waits[cause]!.totalMs);
    for (const [bucket, count] of telemetry.latencies) this.latencies.add(bucket, count);
    const { thrownAwayMs: thrown_away, backingOffMs: backing_off, queuedMs: queued } = telemetry;
    for (const [state, ms] of Object.entries({ thrown_away, backing_off, queued })) if (ms > 0) this.waits.add(state, ms);
    this.took.add(0, telemetry.latencyTotalMs);
  }
}
