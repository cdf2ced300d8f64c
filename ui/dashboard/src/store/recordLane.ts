// What one hot record has told over time: its counts, who held and waited in each mode, its phases.
//
// A phase that goes on is told again with every frame, and once more when it has ended: here it is one, which grows. Only one
// goes on at a time, so what a frame tells to have begun before the frame before it is that one.
//
// Invariants: times of each track never go down; phases do not overlap.
import type { HotRecord } from '../../../telemetry/frame.ts';
import type { Span } from './span.ts';
import { Track } from './track.ts';

/** Figures told of a record at a tick; kept are totals that run on, of before the tick. */
const FIGURES = ['operations', 'conflicts', 'waits', 'waitMs', 'heat'] as const;
export type FigureName = (typeof FIGURES)[number];

const TICKS_MAX = 8_192;
const QUEUES_MAX = 32_768;
const PHASES_MAX = 65_536;

// Columns.
const AT = 0;
const [MODE, HOLDERS, WAITING] = [1, 2, 3];
const [BEGAN, ENDED, LOOK, LET_IN] = [0, 1, 2, 3]; // LOOK: twice the mode, and one more if it was capped

/** Figures of a shard are rounded; frames are a little longer on their way now than then. */
const ROUNDED_MS = 0.01;
const JITTER_MS = 50;
/** Without a word from its shard a phase is believed to go on for so long. */
const SILENCE_MS = 1_000;

/** The numbers of modes, the same for all lanes. */
export interface ModeNumbers {
  numberOf(mode: string): number;
}

export type PhaseVisitor = (mode: number, began_ms: number, ended_ms: number, letIn: number, capped: boolean) => void;
export type QueueVisitor = (at_ms: number, mode: number, holders: number, waiting: number) => void;

export class RecordLane {
  readonly key: string;
  type = '';
  shard = 0;
  /** the most it was worth at any time: by which lanes stay when there are too many */
  peakHeat = 0;
  /** claims that waited when it was told last */
  waiting = 0;
  private readonly modes: ModeNumbers;
  private readonly newest: () => number;
  private readonly now = FIGURES.map(() => 0);
  private readonly figuresTrack = new Track(1 + FIGURES.length, TICKS_MAX);
  private readonly queuesTrack = new Track(4, QUEUES_MAX);
  private readonly phasesTrack = new Track(4, PHASES_MAX);
  /** the newest phase went on when the record was told last */
  private isOpen = false;
  /** its shard's newest frame tells of it */
  private isTold = false;
  /** modes that were not empty when it was told last */
  private taken: number[] = [];
  /** when its shard told of it last, on the axis */
  private told_ms = -Infinity;

  /** `newest`: the newest time on the axis, ms. */
  constructor(key: string, modes: ModeNumbers, newest: () => number) {
    this.key = key;
    this.modes = modes;
    this.newest = newest;
  }

  /** Its shard told this at `told_ms`, in the tick of `tick_ms`, of the last `elapsed_ms`. */
  take(record: HotRecord, shard: number, tick_ms: number, told_ms: number, elapsed_ms: number): void {
    this.type = record.type;
    this.shard = shard;
    this.peakHeat = Math.max(this.peakHeat, record.heat);
    this.waiting = record.waiting;
    this.takeFigures(record, tick_ms);
    const at_ms = Math.max(told_ms, this.told_ms);
    this.takeQueues(record, at_ms);
    this.takePhases(record, told_ms, elapsed_ms);
    this.told_ms = at_ms;
    this.isTold = true;
  }

  /** Its shard told of others only: it has cooled down. */
  rest(told_ms: number): void {
    this.isTold = false;
    this.waiting = 0;
    if (this.taken.length === 0) return;
    const at_ms = Math.max(told_ms, this.told_ms);
    for (const mode of this.taken) this.addQueue(at_ms, mode, 0, 0);
    this.taken = [];
    this.told_ms = at_ms;
  }

  dropBefore(oldest_ms: number): void {
    this.figuresTrack.dropTo(this.figuresTrack.search(oldest_ms));
    this.queuesTrack.dropTo(this.queuesTrack.search(oldest_ms));
    // The last one that began before may reach beyond.
    this.phasesTrack.dropTo(this.phasesTrack.search(oldest_ms) - 1);
  }

  /** Nothing is known of it any more. */
  get isEmpty(): boolean {
    return this.figuresTrack.isEmpty;
  }

  /** Numbers there is room for. */
  get room(): number {
    return this.figuresTrack.room + this.queuesTrack.room + this.phasesTrack.room;
  }

  /** Those that touch the span, oldest first; the one that goes on ends at the newest time there is. */
  phases(span: Span, visit: PhaseVisitor): void {
    const track = this.phasesTrack;
    // Phases do not overlap: only the one before the first that begins within can reach into the span.
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

  /** For each frame and mode that was not empty, and once with zeros when it has become so; oldest first. */
  queues(span: Span, visit: QueueVisitor): void {
    const track = this.queuesTrack;
    for (let row = track.search(span.from_ms); row < track.end; row += 1) {
      const at_ms = track.get(row, AT);
      if (at_ms >= span.to_ms) return;
      visit(at_ms, track.get(row, MODE), track.get(row, HOLDERS), track.get(row, WAITING));
    }
  }

  counts(span: Span): { operations: number; conflicts: number; waits: number; waitMs: number } {
    const [operations, conflicts, waits, waitMs] = FIGURES.map((name) => this.sum(span, name));
    return { operations: operations!, conflicts: conflicts!, waits: waits!, waitMs: waitMs! };
  }

  /** Of one figure; of `heat`, what it was at each tick added up. */
  sum(span: Span, name: FigureName): number {
    const track = this.figuresTrack;
    const [first, end] = [track.search(span.from_ms), track.search(span.to_ms)];
    const figure = FIGURES.indexOf(name);
    return end > first ? this.upTo(end, figure) - this.upTo(first, figure) : 0;
  }

  /** Sums for each `width_ms` of the span, from its beginning, into as many places as `into` has. */
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
    // A shard may tell twice within a tick.
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
    const take = ({ mode, agoMs, lengthMs, letIn, capped }: HotRecord['phases'][number]) => {
      const number = this.modes.numberOf(mode);
      const began_ms = told_ms - agoMs;
      // Where frames are missing, it may also have begun since.
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

  /** A new phase, or the newest one as it is now. It begins where it was first seen to, and not before the last one's end. */
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
