// The hot records of all shards, one lane each, in bounded memory: lanes without data are dropped, and when there are too many, the
// lanes with the lowest peak heat.
import type { ShardTelemetry } from '@claret/client/telemetry';
import { RecordLane, type FigureName } from './recordLane.ts';
import { isRun, runOf } from './runs.ts';
import type { Span } from './span.ts';

export type { ToldWarranty } from './laneWarranties.ts';
export type { NativesVisitor, PhaseVisitor, QueueVisitor, RecordLane } from './recordLane.ts';

const LANES_MAX = 512;
/** Bound on the number of values for which all lanes have memory. */
const ROOM_MAX = 12_000_000;
const MODES_MAX = 64;
const OTHER_MODE = '(other)';
/** Runs of this many clients are kept apart. */
const RUNS_MAX = 24;
const OTHER_RUN = runOf('another client');
/** Old rows are dropped once in this many ticks. */
const TIDY_TICKS = 25;

type Told = { shard: number; at_ms: number; telemetry: ShardTelemetry };

export class RecordSeries {
  private readonly byKey = new Map<string, RecordLane>();
  private modeNames: readonly string[] = [];
  private newest_ms = -Infinity;
  private ticksSinceTidied = 0;

  /** Names of modes by number, the same for all lanes. */
  get modes(): readonly string[] {
    return this.modeNames;
  }

  take(tick_ms: number, told: readonly Told[], oldest_ms: number): void {
    this.newest_ms = tick_ms;
    for (const { shard, at_ms, telemetry } of told) {
      const seen = new Set<RecordLane>();
      for (const record of telemetry.hotRecords) {
        const lane = this.byKey.get(record.key) ?? this.open(record.key);
        lane.take(record, shard, tick_ms, at_ms, telemetry.elapsedMs);
        seen.add(lane);
      }
      for (const lane of this.byKey.values()) if (lane.shard === shard && !seen.has(lane)) lane.rest(at_ms);
      this.bound(seen);
    }
    if (++this.ticksSinceTidied >= TIDY_TICKS) this.tidy(oldest_ms);
  }

  /** Lanes with a count above zero in the span, greatest first. */
  lanes(span: Span, by: FigureName, count: number): RecordLane[] {
    const ranked: { lane: RecordLane; worth: number }[] = [];
    for (const lane of this.byKey.values()) {
      const worth = lane.sum(span, by);
      if (worth > 0) ranked.push({ lane, worth });
    }
    ranked.sort((one, other) => other.worth - one.worth || (one.lane.key < other.lane.key ? -1 : 1));
    return ranked.slice(0, count).map(({ lane }) => lane);
  }

  lane(key: string): RecordLane | null {
    return this.byKey.get(key) ?? null;
  }

  /** Records whose keys contain `text`, in lower case, by the time of their last operation, newest first. */
  usedLast(text: string, most: number): { key: string; at_ms: number }[] {
    const found: { key: string; at_ms: number }[] = [];
    for (const { key, usedLast_ms } of this.byKey.values()) {
      if (usedLast_ms !== null && key.toLowerCase().includes(text)) found.push({ key, at_ms: usedLast_ms });
    }
    return found.sort((one, other) => other.at_ms - one.at_ms || (one.key < other.key ? -1 : 1)).slice(0, most);
  }

  /** For lanes: the number of a mode. A new name gets the next number, while there is room. */
  numberOf(mode: string): number {
    const known = this.modeNames.indexOf(mode);
    if (known >= 0) return known;
    if (isRun(mode) && mode !== OTHER_RUN && this.modeNames.filter(isRun).length >= RUNS_MAX) return this.numberOf(OTHER_RUN);
    if (this.modeNames.length === MODES_MAX) return MODES_MAX - 1;
    this.modeNames = [...this.modeNames, this.modeNames.length === MODES_MAX - 1 ? OTHER_MODE : mode];
    return this.modeNames.length - 1;
  }

  clear(): void {
    this.byKey.clear();
  }

  private open(key: string): RecordLane {
    const lane = new RecordLane(key, this, () => this.newest_ms);
    this.byKey.set(key, lane);
    return lane;
  }

  /** If there are too many lanes, drops the coolest ones, an eighth at once; lanes in the newest frame stay. */
  private bound(seen: ReadonlySet<RecordLane>): void {
    if (this.byKey.size <= LANES_MAX) return;
    const coolest = [...this.byKey.values()].sort((one, other) => one.peakHeat - other.peakHeat);
    for (const lane of coolest) {
      if (this.byKey.size <= (LANES_MAX * 7) / 8) return;
      if (!seen.has(lane)) this.byKey.delete(lane.key);
    }
  }

  private tidy(oldest_ms: number): void {
    this.ticksSinceTidied = 0;
    let room = 0;
    for (const lane of this.byKey.values()) {
      lane.dropBefore(oldest_ms);
      if (lane.isEmpty) this.byKey.delete(lane.key);
      else room += lane.room;
    }
    if (room <= ROOM_MAX) return;
    for (const lane of [...this.byKey.values()].sort((one, other) => one.peakHeat - other.peakHeat)) {
      if (room <= ROOM_MAX) return;
      this.byKey.delete(lane.key);
      room -= lane.room;
    }
  }
}
