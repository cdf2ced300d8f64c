// The history of one hot record: its counts, holders and waiters by mode, and its phases.
//
// A phase in progress is reported with every frame, and once more when it has ended; here it is one phase, which grows. Only one
// phase is in progress at a time, so a phase that a frame reports as begun before the previous frame is the known open one.
//
// Invariants: the times of each track never decrease; phases do not overlap.
import type { HotRecord } from '@claret/client/telemetry';
import { LaneWarranties, type ToldWarranty } from './laneWarranties.ts';
import { isRun, runOf } from './runs.ts';
import type { Span } from './span.ts';
import { Track } from './track.ts';

/** Figures of a record at a tick; the track stores running totals from before each tick. */
const FIGURES = ['operations', 'conflicts', 'waits', 'waitMs', 'heat', 'natives', 'nativeWaits', 'nativeBreaks'] as const;
export type FigureName = (typeof FIGURES)[number];

/** the first of the three figures of natives */
const NATIVES = FIGURES.indexOf('natives');

const TICKS_MAX = 8_192;
const QUEUES_MAX = 32_768;
const PHASES_MAX = 65_536;

// Columns.
const AT = 0;
const [MODE, HOLDERS, WAITING] = [1, 2, 3];
const [BEGAN, ENDED, LOOK, LET_IN] = [0, 1, 2, 3]; // LOOK: twice the mode, plus one if the time limit ended the phase

/** Figures of a shard are rounded, and the delay of frames varies. */
const ROUNDED_MS = 0.01;
const JITTER_MS = 50;
/** The figures of a report cover the time since the report before, if it is no older than this; otherwise the time of a live frame. */
const FIGURES_STAND_MS = 1_100;
const FRAME_MS = 200;
/** Without a report from its shard, a phase is assumed to go on for this long. */
const SILENCE_MS = 1_000;

/** The numbers of modes, the same for all lanes. */
export interface ModeNumbers {
  numberOf(mode: string): number;
}

export type PhaseVisitor = (mode: number, began_ms: number, ended_ms: number, letIn: number, capped: boolean) => void;
export type NativesVisitor = (from_ms: number, to_ms: number, natives: number, waits: number, breaks: number) => void;
export type QueueVisitor = (at_ms: number, mode: number, holders: number, waiting: number) => void;

export class RecordLane {
  readonly key: string;
  type = '';
  shard = 0;
  /** the greatest heat at any time; decides which lanes stay when there are too many */
  peakHeat = 0;
  /** claims that waited at the last report */
  waiting = 0;
  private readonly modes: ModeNumbers;
  private readonly newest: () => number;
  private readonly now = FIGURES.map(() => 0);
  private readonly figuresTrack = new Track(1 + FIGURES.length, TICKS_MAX);
  private readonly queuesTrack = new Track(4, QUEUES_MAX);
  private readonly phasesTrack = new Track(4, PHASES_MAX);
  private readonly promised = new LaneWarranties();
  /** the newest phase was in progress at the last report */
  private isOpen = false;
  /** the newest frame of its shard includes the record */
  private isTold = false;
  /** modes that were not empty at the last report */
  private taken: number[] = [];
  /** time of the shard's last report on this record, on the axis */
  private told_ms = -Infinity;

  /** `newest`: returns the newest time on the axis, ms. */
  constructor(key: string, modes: ModeNumbers, newest: () => number) {
    this.key = key;
    this.modes = modes;
    this.newest = newest;
  }

  /** Takes a report that the shard sent at `told_ms`, for its last `elapsed_ms`; it counts for the tick at `tick_ms`. */
  take(record: HotRecord, shard: number, tick_ms: number, told_ms: number, elapsed_ms: number): void {
    this.type = record.type;
    this.shard = shard;
    this.peakHeat = Math.max(this.peakHeat, record.heat);
    this.waiting = record.waiting;
    this.takeFigures(record, tick_ms);
    const at_ms = Math.max(told_ms, this.told_ms);
    this.takeQueues(record, at_ms);
    this.takePhases(record, told_ms, elapsed_ms);
    this.promised.take(record, told_ms);
    this.told_ms = at_ms;
    this.isTold = true;
  }

  /** The shard's frame does not include this record: it has cooled down. */
  rest(told_ms: number): void {
    this.isTold = false;
    this.waiting = 0;
    this.promised.rest();
    if (this.taken.length === 0) return;
    const at_ms = Math.max(told_ms, this.told_ms);
    for (const mode of this.taken) this.addQueue(at_ms, mode, 0, 0);
    this.taken = [];
    this.told_ms = at_ms;
  }

  dropBefore(oldest_ms: number): void {
    this.figuresTrack.dropTo(this.figuresTrack.search(oldest_ms));
    this.queuesTrack.dropTo(this.queuesTrack.search(oldest_ms));
    // The last phase that began before that time may extend beyond it.
    this.phasesTrack.dropTo(this.phasesTrack.search(oldest_ms) - 1);
    this.promised.dropBefore(oldest_ms);
  }

  /** No data is left. */
  get isEmpty(): boolean {
    return this.figuresTrack.isEmpty;
  }

  /** The number of values for which memory is allocated. */
  get room(): number {
    return this.figuresTrack.room + this.queuesTrack.room + this.phasesTrack.room + this.promised.room;
  }

  /** Phases that touch the span, oldest first; a phase in progress ends at the newest known time. */
  phases(span: Span, visit: PhaseVisitor): void {
    const track = this.phasesTrack;
    // Phases do not overlap: only the phase before the first one that begins in the span can extend into it.
    for (let row = Math.max(track.first, track.search(span.from_ms) - 1); row < track.end; row += 1) {
      const began_ms = track.get(row, BEGAN);
      if (began_ms >= span.to_ms) return;
      const ended_ms = track.get(row, ENDED);
      const end_ms = this.isOpen && this.isTold && row === track.end - 1 ? this.goesOnTo(ended_ms) : ended_ms;
      if (end_ms < span.from_ms) continue;
      const look = track.get(row, LOOK);
      visit(look >> 1, began_ms, end_ms, track.get(row, LET_IN), (look & 1) === 1);
    }
  }

  /** Results that were promised at some time in the span: those that have ended, by their ends, and then those that stand. */
  warranties(span: Span, visit: (warranty: ToldWarranty) => void): void {
    this.promised.visit(span, (told_ms) => this.goesOnTo(told_ms), visit);
  }

  /** One call for each frame and mode that was not empty, and one with zeros when a mode has become empty; oldest first. */
  queues(span: Span, visit: QueueVisitor): void {
    const track = this.queuesTrack;
    for (let row = track.search(span.from_ms); row < track.end; row += 1) {
      const at_ms = track.get(row, AT);
      if (at_ms >= span.to_ms) return;
      visit(at_ms, track.get(row, MODE), track.get(row, HOLDERS), track.get(row, WAITING));
    }
  }

  /** What natives did between two ticks, for ticks with natives at the record; oldest first. */
  natives(span: Span, visit: NativesVisitor): void {
    const track = this.figuresTrack;
    for (let row = track.search(span.from_ms); row < track.end; row += 1) {
      const to_ms = track.get(row, AT);
      const before_ms = row > track.first ? track.get(row - 1, AT) : -Infinity;
      const from_ms = to_ms - before_ms <= FIGURES_STAND_MS ? before_ms : to_ms - FRAME_MS;
      if (from_ms >= span.to_ms) return;
      const [natives, waits, breaks] = [0, 1, 2].map((at) => this.upTo(row + 1, NATIVES + at) - this.upTo(row, NATIVES + at));
      if (natives! + waits! + breaks! > 0) visit(from_ms, to_ms, natives!, waits!, breaks!);
    }
  }

  counts(span: Span): { operations: number; conflicts: number; waits: number; waitMs: number } {
    const [operations, conflicts, waits, waitMs] = FIGURES.map((name) => this.sum(span, name));
    return { operations: operations!, conflicts: conflicts!, waits: waits!, waitMs: waitMs! };
  }

  /** The sum of one figure over the span; for `heat`, the sum of its values at the ticks. */
  sum(span: Span, name: FigureName): number {
    const track = this.figuresTrack;
    const [first, end] = [track.search(span.from_ms), track.search(span.to_ms)];
    const figure = FIGURES.indexOf(name);
    return end > first ? this.upTo(end, figure) - this.upTo(first, figure) : 0;
  }

  /** The tick of its last operation; null: none is known. */
  get usedLast_ms(): number | null {
    const track = this.figuresTrack;
    const operations = FIGURES.indexOf('operations');
    for (let row = track.end - 1; row >= track.first; row -= 1) {
      if (this.upTo(row + 1, operations) > this.upTo(row, operations)) return track.get(row, AT);
    }
    return null;
  }

  /** Sums for each `width_ms` of the span, from its beginning, into the elements of `into`. */
  buckets(span: Span, width_ms: number, what: 'operations' | 'conflicts' | 'waitMs', into: Float64Array): void {
    into.fill(0);
    const track = this.figuresTrack;
    const figure = FIGURES.indexOf(what);
    let row = track.search(span.from_ms);
    let before = this.upTo(row, figure);
    while (row < track.end && track.get(row, AT) < span.to_ms) {
      const bucket = Math.floor((track.get(row, AT) - span.from_ms) / width_ms);
      if (bucket >= into.length) return;
      row += 1;
      const after = this.upTo(row, figure);
      into[bucket]! += after - before;
      before = after;
    }
  }

  private upTo(row: number, figure: number): number {
    return row >= this.figuresTrack.end ? this.now[figure]! : this.figuresTrack.get(row, 1 + figure);
  }

  private takeFigures(record: HotRecord, tick_ms: number): void {
    const { figuresTrack: track, now } = this;
    // A shard may report twice within a tick.
    if (track.isEmpty || track.get(track.end - 1, AT) !== tick_ms) {
      const row = track.add(tick_ms);
      for (let figure = 0; figure < FIGURES.length; figure += 1) track.set(row, 1 + figure, now[figure]!);
    }
    for (let figure = 0; figure < FIGURES.length; figure += 1) now[figure]! += record[FIGURES[figure]!];
  }

  private takeQueues(record: HotRecord, at_ms: number): void {
    const taken: number[] = [];
    for (const { mode, holders, waiting } of record.modes) {
      const number = this.modes.numberOf(mode);
      taken.push(number);
      this.addQueue(at_ms, number, holders, waiting);
    }
    for (const mode of this.taken) if (!taken.includes(mode)) this.addQueue(at_ms, mode, 0, 0);
    this.taken = taken;
  }

  private addQueue(at_ms: number, mode: number, holders: number, waiting: number): void {
    const row = this.queuesTrack.add(at_ms);
    this.queuesTrack.set(row, MODE, mode);
    this.queuesTrack.set(row, HOLDERS, holders);
    this.queuesTrack.set(row, WAITING, waiting);
  }

  private takePhases(record: HotRecord, told_ms: number, elapsed_ms: number): void {
    let mayContinue = this.isOpen;
    this.isOpen = false;
    const take = ({ mode, session, agoMs, lengthMs, letIn, capped }: HotRecord['phases'][number]) => {
      const number = this.modes.numberOf(isRun(mode) ? runOf(session) : mode);
      const began_ms = told_ms - agoMs;
      // If frames are missing, it may also have begun since the last report.
      const beganBefore = agoMs >= elapsed_ms - ROUNDED_MS && began_ms <= this.told_ms + JITTER_MS;
      const isKnown = mayContinue && beganBefore && this.phasesTrack.get(this.phasesTrack.end - 1, LOOK) >> 1 === number;
      mayContinue = false;
      this.putPhase(isKnown, began_ms, began_ms + lengthMs, number * 2 + Number(capped), letIn);
    };
    for (const phase of record.phases) take(phase);
    if (record.phase !== null) {
      take(record.phase);
      this.isOpen = true;
    }
  }

  /** Adds a phase, or updates the newest one. A phase begins when it was first seen, and not before the end of the previous one. */
  private putPhase(isKnown: boolean, began_ms: number, ended_ms: number, look: number, letIn: number): void {
    const track = this.phasesTrack;
    const earliest_ms = track.isEmpty ? -Infinity : track.get(track.end - 1, ENDED);
    const row = isKnown ? track.end - 1 : track.add(Math.max(began_ms, earliest_ms));
    track.set(row, ENDED, Math.max(ended_ms, track.get(row, BEGAN)));
    track.set(row, LOOK, look);
    track.set(row, LET_IN, letIn);
  }

  private goesOnTo(told_ms: number): number {
    const newest_ms = this.newest();
    return newest_ms - told_ms > SILENCE_MS ? told_ms : Math.max(told_ms, newest_ms);
  }
}
