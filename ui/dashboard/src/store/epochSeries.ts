// Epochs over time: a lane for each shard (server-core/src/shard/epoch_manager.h).
//
// A slice is one epoch at a shard, or several that began close together: their times are added up, and they lie side by side. A shard takes
// part in one epoch at a time, so slices of a lane do not overlap; but while one is held, members are gathered for the next.
//
// Invariants: the times of each track never decrease; a slice's members are gathered no earlier than the slice before has begun.
import type { EpochSlice, ShardTelemetry } from '@claret/client/telemetry';
import { calledOffFor, GATHERED, HELD, LISTING, READ_TURN, WRITE_TURN } from './epochParts.ts';
import type { NativesVisitor, PhaseVisitor, QueueVisitor } from './recordLane.ts';
import type { Span } from './span.ts';
import { Track } from './track.ts';

const SLICES_MAX = 32_768;
const SHARDS_MAX = 256;
/** Sets of late shards that are told apart. */
const LATE_MAX = 24;

/** The modes of every lane, by number; those of call-offs come after them. */
const PARTS = [GATHERED, LISTING, HELD, WRITE_TURN, READ_TURN];
const [GATHERED_MODE, LISTING_MODE, HELD_MODE, WRITE_MODE, READ_MODE] = [0, 1, 2, 3, 4];

// Columns.
const [BEGAN, GATHER, LIST, HOLD, TURN, MANAGER, EPOCHS, READS, WRITES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [READ_OPERATIONS, WRITE_OPERATIONS, CAME_BACK, CALLED_OFF, LATE] = [9, 10, 11, 12, 13];
const COLUMNS = 14;

/** As the shard has told it; of several epochs, times and counts are sums. */
export interface ToldEpochs extends Omit<EpochSlice, 'agoMs' | 'gatherMs' | 'listMs' | 'heldMs' | 'turnMs' | 'late'> {
  /** its members are gathered */
  gathered_ms: number;
  /** the epoch has closed, and the shard lists */
  began_ms: number;
  listed_ms: number;
  sealed_ms: number;
  /** writes have had their turn: an estimate, by the operations of writes and of reads */
  written_ms: number;
  ended_ms: number;
  /** the shards whose lists were late for those that were called off; empty: none, or unknown */
  late: readonly number[];
}

type Told = { shard: number; at_ms: number; telemetry: Pick<ShardTelemetry, 'epochSlices'> };

/** The modes of lanes: the parts of an epoch, and call-offs by who was late. */
class Modes {
  names: readonly string[] = PARTS;
  private readonly numbers = new Map<string, number>();
  private readonly lists: (readonly number[])[] = [];

  /** The number of a set of late shards; beyond the limit, that of an unknown one. */
  numberOf(late: readonly number[]): number {
    const shards = late.toSorted((one, other) => one - other);
    const name = calledOffFor(shards);
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    if (shards.length > 0 && this.numbers.size >= LATE_MAX) return this.numberOf([]);
    this.numbers.set(name, this.lists.length);
    this.names = [...this.names, name];
    return this.lists.push(shards) - 1;
  }

  late(number: number): readonly number[] {
    return this.lists[number]!;
  }
}

const NOBODY: readonly number[] = [];
const NOTHING: ToldEpochs = {
  manager: 0,
  gathered_ms: 0,
  began_ms: 0,
  listed_ms: 0,
  sealed_ms: 0,
  written_ms: 0,
  ended_ms: 0,
  epochs: 0,
  reads: 0,
  writes: 0,
  readOperations: 0,
  writeOperations: 0,
  cameBack: 0,
  calledOff: 0,
  late: NOBODY,
};

/** The epochs of one shard, as a lane (views/phases): parts are phases, and members that are gathered are a queue. */
export class EpochLane {
  readonly shard: number;
  private readonly track = new Track(COLUMNS, SLICES_MAX);
  private readonly names: Modes;
  private readonly scratch: ToldEpochs = { ...NOTHING };

  constructor(shard: number, names: Modes) {
    this.shard = shard;
    this.names = names;
  }

  get isEmpty(): boolean {
    return this.track.isEmpty;
  }

  add(at_ms: number, slice: EpochSlice): void {
    const { track } = this;
    const newest_ms = track.isEmpty ? -Infinity : track.get(track.end - 1, BEGAN);
    const began_ms = Math.max(at_ms - slice.agoMs, newest_ms);
    const row = track.add(began_ms);
    track.set(row, GATHER, Math.max(0, Math.min(slice.gatherMs, began_ms - newest_ms)));
    track.set(row, LIST, slice.listMs);
    track.set(row, HOLD, slice.heldMs);
    track.set(row, TURN, slice.turnMs);
    track.set(row, MANAGER, slice.manager);
    track.set(row, EPOCHS, slice.epochs);
    track.set(row, READS, slice.reads);
    track.set(row, WRITES, slice.writes);
    track.set(row, READ_OPERATIONS, slice.readOperations);
    track.set(row, WRITE_OPERATIONS, slice.writeOperations);
    track.set(row, CAME_BACK, slice.cameBack);
    track.set(row, CALLED_OFF, slice.calledOff);
    track.set(row, LATE, slice.calledOff > 0 ? this.names.numberOf(slice.late) : -1);
  }

  /** The last slice that began before that time may extend beyond it. */
  dropTo(oldest_ms: number): void {
    this.track.dropTo(this.track.search(oldest_ms) - 1);
  }

  /**
   * Slices that touch the span, the gathering of their members included, oldest first. Ten minutes may have tens of thousands: all are told by
   * the same object, which is valid during the call.
   */
  slices(span: Span, visit: (slice: Readonly<ToldEpochs>) => void): void {
    const { track } = this;
    for (let row = Math.max(track.first, track.search(span.from_ms) - 1); row < track.end; row += 1) {
      const slice = this.read(row);
      if (slice.gathered_ms >= span.to_ms) return;
      if (slice.ended_ms >= span.from_ms) visit(slice);
    }
  }

  phases(span: Span, visit: PhaseVisitor): void {
    this.slices(span, (slice) => {
      const { began_ms, listed_ms, sealed_ms, written_ms, ended_ms, epochs, late } = slice;
      const part = (mode: number, from_ms: number, to_ms: number) => to_ms > from_ms && visit(mode, from_ms, to_ms, 0, false);
      part(LISTING_MODE, began_ms, listed_ms);
      // Of several epochs, some of which were called off, those have their share of the time.
      const off_ms = slice.calledOff === 0 ? sealed_ms : sealed_ms - (sealed_ms - listed_ms) * Math.min(1, slice.calledOff / epochs);
      part(HELD_MODE, listed_ms, off_ms);
      if (slice.calledOff > 0) part(PARTS.length + this.names.numberOf(late), off_ms, sealed_ms);
      part(WRITE_MODE, sealed_ms, written_ms);
      part(READ_MODE, written_ms, ended_ms);
    });
  }

  /** How many members are gathered for an epoch. */
  queues(span: Span, visit: QueueVisitor): void {
    this.slices(span, ({ gathered_ms, began_ms, epochs, reads, writes, cameBack }) => {
      if (gathered_ms >= began_ms) return;
      visit(gathered_ms, GATHERED_MODE, 0, Math.max(1, Math.round((reads + writes + cameBack) / epochs)));
      visit(began_ms, GATHERED_MODE, 0, 0);
    });
  }

  natives(_span: Span, _visit: NativesVisitor): void {}

  private read(row: number): ToldEpochs {
    const { track, scratch } = this;
    const [readOperations, writeOperations] = [track.get(row, READ_OPERATIONS), track.get(row, WRITE_OPERATIONS)];
    const [turn_ms, late] = [track.get(row, TURN), track.get(row, LATE)];
    scratch.manager = track.get(row, MANAGER);
    scratch.began_ms = track.get(row, BEGAN);
    scratch.gathered_ms = scratch.began_ms - track.get(row, GATHER);
    scratch.listed_ms = scratch.began_ms + track.get(row, LIST);
    scratch.sealed_ms = scratch.listed_ms + track.get(row, HOLD);
    scratch.written_ms = scratch.sealed_ms + turn_ms * (writeOperations / Math.max(1, readOperations + writeOperations));
    scratch.ended_ms = scratch.sealed_ms + turn_ms;
    scratch.epochs = Math.max(1, track.get(row, EPOCHS));
    scratch.reads = track.get(row, READS);
    scratch.writes = track.get(row, WRITES);
    scratch.readOperations = readOperations;
    scratch.writeOperations = writeOperations;
    scratch.cameBack = track.get(row, CAME_BACK);
    scratch.calledOff = track.get(row, CALLED_OFF);
    scratch.late = late < 0 ? NOBODY : this.names.late(late);
    return scratch;
  }
}

export class EpochSeries {
  private readonly names = new Modes();
  private readonly byShard = new Map<number, EpochLane>();

  /** The names of the lanes' modes, by number. */
  get modes(): readonly string[] {
    return this.names.names;
  }

  /** Shards with any epochs, by number. */
  get lanes(): EpochLane[] {
    return [...this.byShard.values()].filter(({ isEmpty }) => !isEmpty).sort((one, other) => one.shard - other.shard);
  }

  take(told: readonly Told[], oldest_ms: number): void {
    for (const { shard, at_ms, telemetry } of told) {
      if (telemetry.epochSlices.length === 0) continue;
      let lane = this.byShard.get(shard);
      if (lane === undefined) {
        if (this.byShard.size === SHARDS_MAX) continue;
        this.byShard.set(shard, (lane = new EpochLane(shard, this.names)));
      }
      for (const slice of telemetry.epochSlices) lane.add(at_ms, slice);
    }
    for (const lane of this.byShard.values()) lane.dropTo(oldest_ms);
  }

  clear(): void {
    this.byShard.clear();
  }
}
