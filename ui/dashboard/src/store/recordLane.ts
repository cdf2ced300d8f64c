// What one hot record has told over time: its counts, who held and waited in each mode, its phases.
//
// A phase that goes on is told again with every frame, and once more when it has ended: here it is one, which grows. Only one
// goes on at a time, so what a frame tells to have begun before the frame before it is that one.
//
// Invariants: times of each track never go down; phases do not overlap.
import type { HotRecord } from '../../../telemetry/frame.ts';
import { Track } from './track.ts';
import type { Span } from './span.ts';

/** Figures told of a record at a tick: totals that run on, of before the tick. */
const FIGURES = ['operations', 'conflicts', 'waits', 'waitMs', 'heat'] as const;
export type FigureName = (typeof FIGURES)[number];

const TICKS_MAX = 8_192;
const QUEUES_MAX = 32_768;
const PHASES_MAX = 65_536;
/** A phase told again may seem to have begun so much later than the last frame: figures are rounded. */
const SLACK_MS = 0.01;
/** Without a word from its shard a phase is believed to go on for so long. */
const SILENCE_MS = 1_000;

/** The numbers of modes, the same for all lanes. */
export interface ModeNumbers {
  numberOf(mode: string): number;
}

type FigureColumns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
type QueueColumns = [at_ms: Float64Array, mode: Uint8Array, holders: Uint32Array, waiting: Uint32Array];
type PhaseColumns = [began_ms: Float64Array, ended_ms: Float64Array, look: Uint8Array, letIn: Uint32Array];

export type PhaseVisitor = (mode: number, began_ms: number, ended_ms: number, letIn: number, capped: boolean) => void;
export type QueueVisitor = (at_ms: number, mode: number, holders: number, waiting: number) => void;

export class RecordLane {
  readonly key: string;
  type: string;
  shard: number;
  /** the most it was worth at any time: by which lanes stay when there are too many */
  peakHeat = 0;
  /** claims that waited when it was told last */
  waiting = 0;
  private readonly modes: ModeNumbers;
  private readonly newest: () => number;
  private readonly now = new Float64Array(FIGURES.length);
  private readonly figures = new Track<FigureColumns>(TICKS_MAX, (rows) => {
    const column = () => new Float64Array(rows);
    return [column(), column(), column(), column(), column(), column()];
  });
  private readonly queuesTrack = new Track<QueueColumns>(QUEUES_MAX, (rows) => [
    new Float64Array(rows),
    new Uint8Array(rows),
    new Uint32Array(rows),
    new Uint32Array(rows),
  ]);
  private readonly phasesTrack = new Track<PhaseColumns>(PHASES_MAX, (rows) => [
    new Float64Array(rows),
    new Float64Array(rows),
    new Uint8Array(rows),
    new Uint32Array(rows),
  ]);
  /** the newest phase goes on */
  private isGoingOn = false;
  /** modes that were not empty when it was told last */
  private taken: number[] = [];
  /** when its shard told of it last, on the axis */
  private told_ms = -Infinity;

  /** `newest`: the newest time on the axis, ms. */
  constructor(key: string, modes: ModeNumbers, newest: () => number) {
    this.key = key;
    this.type = '';
    this.shard = 0;
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
  }

  /** Its shard told of others only: it has cooled down. */
  rest(told_ms: number): void {
    this.isGoingOn = false;
    this.waiting = 0;
    if (this.taken.length === 0) return;
    const at_ms = Math.max(told_ms, this.told_ms);
    for (const mode of this.taken) this.addQueue(at_ms, mode, 0, 0);
    this.taken = [];
  }

  dropBefore(oldest_ms: number): void {
    this.figures.dropBefore(oldest_ms);
    this.queuesTrack.dropBefore(oldest_ms);
    const { phasesTrack } = this;
    while (phasesTrack.first < phasesTrack.end && phasesTrack.columns[1][phasesTrack.slot(phasesTrack.first)]! < oldest_ms) {
      phasesTrack.first += 1;
    }
  }

  /** Nothing is known of it any more. */
  get isEmpty(): boolean {
    return this.figures.first === this.figures.end;
  }

  /** Rows there is room for. */
  get room(): number {
    return this.figures.room * 2 + this.queuesTrack.room + this.phasesTrack.room;
  }

  /** Those that touch the span, oldest first; the one that goes on ends at the newest time there is. */
  phases(span: Span, visit: PhaseVisitor): void {
    const { phasesTrack: track } = this;
    const [began, ended, look, letIn] = track.columns;
    // Phases do not overlap: only the one before the first that begins within can reach into the span.
    for (let row = Math.max(track.first, track.search(span.from_ms) - 1); row < track.end; row += 1) {
      const slot = track.slot(row);
      if (began[slot]! >= span.to_ms) return;
      const end_ms = this.isGoingOn && row === track.end - 1 ? this.goesOnTo(ended[slot]!) : ended[slot]!;
      if (end_ms < span.from_ms) continue;
      visit(look[slot]! >> 1, began[slot]!, end_ms, letIn[slot]!, (look[slot]! & 1) === 1);
    }
  }

  /** For each frame and mode that was not empty, and once with zeros when it has become so; oldest first. */
  queues(span: Span, visit: QueueVisitor): void {
    const { queuesTrack: track } = this;
    const [at, mode, holders, waiting] = track.columns;
    for (let row = track.search(span.from_ms); row < track.end; row += 1) {
      const slot = track.slot(row);
      if (at[slot]! >= span.to_ms) return;
      visit(at[slot]!, mode[slot]!, holders[slot]!, waiting[slot]!);
    }
  }

  counts(span: Span): { operations: number; conflicts: number; waits: number; waitMs: number } {
    const [first, end] = [this.figures.search(span.from_ms), this.figures.search(span.to_ms)];
    const sum = (figure: number) => (end > first ? this.upTo(end, figure) - this.upTo(first, figure) : 0);
    return { operations: sum(0), conflicts: sum(1), waits: sum(2), waitMs: sum(3) };
  }

  /** Of one figure; of `heat`, what it was at each tick added up. */
  sum(span: Span, name: FigureName): number {
    const [first, end] = [this.figures.search(span.from_ms), this.figures.search(span.to_ms)];
    const figure = FIGURES.indexOf(name);
    return end > first ? this.upTo(end, figure) - this.upTo(first, figure) : 0;
  }

  /** Sums for each `width_ms` of the span, from its beginning, into as many places as `into` has. */
  buckets(span: Span, width_ms: number, what: 'operations' | 'conflicts' | 'waitMs', into: Float64Array): void {
    into.fill(0);
    const { figures } = this;
    const figure = FIGURES.indexOf(what);
    const times = figures.columns[0];
    let row = figures.search(span.from_ms);
    let before = this.upTo(row, figure);
    while (row < figures.end && times[figures.slot(row)]! < span.to_ms) {
      const bucket = Math.floor((times[figures.slot(row)]! - span.from_ms) / width_ms);
      if (bucket >= into.length) return;
      row += 1;
      const after = this.upTo(row, figure);
      into[bucket]! += after - before;
      before = after;
    }
  }

  private upTo(row: number, figure: number): number {
    return row >= this.figures.end ? this.now[figure]! : this.figures.columns[figure + 1]![this.figures.slot(row)]!;
  }

  private takeFigures(record: HotRecord, tick_ms: number): void {
    const { figures, now } = this;
    const newest = figures.end - 1;
    // A shard may tell twice within a tick.
    if (newest < figures.first || figures.columns[0][figures.slot(newest)] !== tick_ms) {
      const slot = figures.add(tick_ms);
      for (let figure = 0; figure < FIGURES.length; figure += 1) figures.columns[figure + 1]![slot] = now[figure]!;
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
    const slot = this.queuesTrack.add(at_ms);
    this.queuesTrack.columns[1][slot] = mode;
    this.queuesTrack.columns[2][slot] = holders;
    this.queuesTrack.columns[3][slot] = waiting;
  }

  private takePhases(record: HotRecord, told_ms: number, elapsed_ms: number): void {
    let mayContinue = this.isGoingOn;
    this.isGoingOn = false;
    const take = ({ mode, agoMs, lengthMs, letIn, capped }: HotRecord['phases'][number]) => {
      const look = (this.modes.numberOf(mode) << 1) | (capped ? 1 : 0);
      const isKnown = mayContinue && agoMs >= elapsed_ms - SLACK_MS && this.newestMode() === look >> 1;
      mayContinue = false;
      this.putPhase(isKnown, told_ms - agoMs, told_ms - agoMs + lengthMs, look, letIn);
    };
    for (const phase of record.phases) take(phase);
    if (record.phase !== null) {
      take(record.phase);
      this.isGoingOn = true;
    }
  }

  private newestMode(): number {
    return this.phasesTrack.columns[2][this.phasesTrack.slot(this.phasesTrack.end - 1)]! >> 1;
  }

  /** A new phase, or the newest one as it is now. It begins where it was first seen to, and not before the last one's end. */
  private putPhase(isKnown: boolean, began_ms: number, ended_ms: number, look: number, letIn: number): void {
    const { phasesTrack: track } = this;
    let slot = track.slot(track.end - 1);
    if (!isKnown) {
      const earliest_ms = track.end > track.first ? track.columns[1][slot]! : -Infinity;
      slot = track.add(Math.max(began_ms, earliest_ms));
    }
    track.columns[1][slot] = Math.max(ended_ms, track.columns[0][slot]!);
    track.columns[2][slot] = look;
    track.columns[3][slot] = letIn;
  }

  private goesOnTo(told_ms: number): number {
    const newest_ms = this.newest();
    return newest_ms - told_ms > SILENCE_MS ? told_ms : Math.max(told_ms, newest_ms);
  }
}
