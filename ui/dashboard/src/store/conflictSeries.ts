// Conflicts over time: per tick the number of conflicts of each pair of transaction labels and operations, summed over shards. Each
// pair is stored once and numbered; a tick is a run of (pair, count) in one long ring.
//
// Invariants: the entries of tick t are [starts[t], starts[t + 1]), as far as the ring still has them; a number is reused for
// another pair only when no entry in the ring has it.
import type { Conflict, ShardTelemetry } from '@claret/client/telemetry';
import type { Span } from './span.ts';
import { RunningTotals, type Ticks } from './ticks.ts';

export type ConflictRow = Conflict;

const PAIRS_MAX = 4_096;
/** The ring has room for this many pairs per tick on average. */
const PAIRS_PER_TICK = 128;
/** When all numbers are in use, a sweep for unused ones runs at most once in this many ticks. */
const SWEEP_TICKS = 25;

const nameOf = (row: Conflict) => `${row.holderLabel}\n${row.comerLabel}\n${row.holderOperation}\n${row.comerOperation}\n${row.outcome}`;

export class ConflictSeries {
  private readonly ticks: Ticks;
  private readonly entries_max: number;
  private readonly numbers: Uint16Array;
  private readonly counts: Uint32Array;
  private readonly starts: Float64Array;
  private entriesEnd = 0;
  private readonly leftOutTotals: RunningTotals;
  private readonly numberOf = new Map<string, number>();
  private readonly pairs: (Conflict | null)[] = [];
  private free: number[] = [];
  private sweptTick = -SWEEP_TICKS;
  private readonly sums = new Float64Array(PAIRS_MAX);

  constructor(ticks: Ticks) {
    this.ticks = ticks;
    this.entries_max = ticks.capacity * PAIRS_PER_TICK;
    this.numbers = new Uint16Array(this.entries_max);
    this.counts = new Uint32Array(this.entries_max);
    this.starts = new Float64Array(ticks.capacity);
    this.leftOutTotals = new RunningTotals(ticks, 1);
  }

  /** Takes the conflicts of the newest tick. */
  take(told: readonly { telemetry: ShardTelemetry }[]): void {
    this.leftOutTotals.begin();
    this.starts[this.ticks.slot(this.ticks.end - 1)] = this.entriesEnd;
    for (const { telemetry } of told) {
      this.leftOutTotals.add(0, telemetry.conflictsLeftOut);
      for (const row of telemetry.conflicts) {
        const number = this.number(row);
        if (number === null) this.leftOutTotals.add(0, row.count);
        else this.sums[number]! += row.count;
      }
    }
    // A second pass, because a pair that several shards report is written once.
    for (const { telemetry } of told) {
      for (const row of telemetry.conflicts) {
        const number = this.numberOf.get(nameOf(row));
        if (number === undefined || this.sums[number] === 0) continue;
        const entry = this.entriesEnd % this.entries_max;
        this.numbers[entry] = number;
        this.counts[entry] = this.sums[number]!;
        this.sums[number] = 0;
        this.entriesEnd += 1;
      }
    }
  }

  /** Sums over the span, most frequent first. */
  rows(span: Span): ConflictRow[] {
    const [first, end] = this.entriesOf(span);
    const { sums, numbers, counts, entries_max } = this;
    for (let at = first; at < end; at += 1) sums[numbers[at % entries_max]!]! += counts[at % entries_max]!;
    const rows: ConflictRow[] = [];
    this.pairs.forEach((pair, number) => {
      if (pair !== null && sums[number]! > 0) rows.push({ ...pair, count: sums[number]! });
    });
    sums.fill(0);
    return rows.sort((one, other) => other.count - one.count);
  }

  /** Conflicts in the span whose pair is unknown. */
  leftOut(span: Span): number {
    return this.leftOutTotals.sum(...this.ticks.within(span), 0);
  }

  private entriesOf(span: Span): [number, number] {
    const [first, end] = this.ticks.within(span);
    if (first === end) return [0, 0];
    const start = this.starts[this.ticks.slot(first)]!;
    const stop = end === this.ticks.end ? this.entriesEnd : this.starts[this.ticks.slot(end)]!;
    return [Math.max(start, this.entriesEnd - this.entries_max), stop];
  }

  /** Null if there are too many pairs. */
  private number(row: Conflict): number | null {
    const name = nameOf(row);
    const known = this.numberOf.get(name);
    if (known !== undefined) return known;
    if (this.pairs.length === PAIRS_MAX && this.free.length === 0) this.sweep();
    const number = this.pairs.length < PAIRS_MAX ? this.pairs.length : this.free.pop();
    if (number === undefined) return null;
    const { holderLabel, comerLabel, holderOperation, comerOperation, outcome } = row;
    this.pairs[number] = { holderLabel, comerLabel, holderOperation, comerOperation, outcome, count: 0 };
    this.numberOf.set(name, number);
    return number;
  }

  /** Frees the numbers of pairs that no tick still has. */
  private sweep(): void {
    const tick = this.ticks.end - 1;
    if (tick - this.sweptTick < SWEEP_TICKS) return;
    this.sweptTick = tick;
    const used = Uint8Array.from(this.sums, (sum) => (sum > 0 ? 1 : 0));
    const [first, end] = this.entriesOf({ from_ms: -Infinity, to_ms: Infinity });
    for (let at = first; at < end; at += 1) used[this.numbers[at % this.entries_max]!] = 1;
    this.pairs.forEach((pair, number) => {
      if (pair === null || used[number] === 1) return;
      this.numberOf.delete(nameOf(pair));
      this.pairs[number] = null;
      this.free.push(number);
    });
  }
}
