// All telemetry that the page has: the last ten minutes, as series over one time axis. It takes messages as they arrive and answers
// queries about spans of time. Its memory is bounded by its series, and it uses neither React nor the DOM.
//
// Messages are assumed to be well formed (feed/decode.ts checks them).
import type { Conditions, FrameMessage, MarkMessage, TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';
import { ConflictSeries } from './conflictSeries.ts';
import { EpochSeries } from './epochSeries.ts';
import { RecordSeries } from './recordSeries.ts';
import { replicationSeries } from './replicationSeries.ts';
import { SampleSeries } from './sampleSeries.ts';
import { slotsSeries } from './slotsSeries.ts';
import { HISTORY_MS } from './span.ts';
import { Ticks } from './ticks.ts';
import { TotalsSeries } from './totalsSeries.ts';
import { TurnSeries } from './turnSeries.ts';
import { WaiterSeries } from './waiterSeries.ts';

export type { ConflictRow, ConflictSeries } from './conflictSeries.ts';
export type { EpochLane, EpochSeries, ToldEpochs } from './epochSeries.ts';
export type { NativesVisitor, PhaseVisitor, QueueVisitor, RecordLane, RecordSeries, ToldWarranty } from './recordSeries.ts';
export type { ReplicationAt, ReplicationSeries } from './replicationSeries.ts';
export type { SampledAttempt, SampleFilter, SampleSeries, TransactionSample } from './sampleSeries.ts';
export type { SlotsAt, SlotsSeries } from './slotsSeries.ts';
export { HISTORY_MS, type Span } from './span.ts';
export type { CountName, GaugeName, TotalName, TotalsSeries } from './totalsSeries.ts';
export type { TurnSeries, TurnSlice } from './turnSeries.ts';
export type { ShownWaiter, WaitersAt, WaiterSeries } from './waiterSeries.ts';

export interface Mark {
  at_ms: number;
  what: MarkMessage['what'];
}

/** With an id, because marks are repeated after a reconnect. */
interface KnownMark extends Mark {
  id: string;
}

/** A power of two that covers HISTORY_MS at the highest rate of frames. */
const TICKS_MAX = 8_192;
const MARKS_MAX = 400;
/** Each gateway marks a change of the conditions for itself: a page that goes on at another one gets the change twice, about so far apart. */
const SAME_CHANGE_MS = 5_000;
/** A clock that goes back by more is a different clock: earlier telemetry does not fit on its axis. */
const CLOCK_BACK_MS = 5_000;

export class TelemetryStore {
  readonly totals: TotalsSeries;
  readonly conflicts: ConflictSeries;
  readonly records = new RecordSeries();
  readonly replication = replicationSeries();
  readonly slots = slotsSeries();
  readonly turns = new TurnSeries();
  readonly epochs = new EpochSeries();
  readonly waiters = new WaiterSeries();
  readonly samples = new SampleSeries();
  private readonly ticks = new Ticks(TICKS_MAX);
  private counted = 0;
  private known: Conditions | null = null;
  private knownFirst: Conditions | null = null;
  private knownNormal: Conditions | null = null;
  private shardCount = 0;
  private markList: readonly KnownMark[] = [];
  private missedFrames = 0;
  private silentShards: readonly number[] = [];
  private lastNumber = 0;

  constructor() {
    this.totals = new TotalsSeries(this.ticks);
    this.conflicts = new ConflictSeries(this.ticks);
  }

  /** Increases with each message taken: a drawing of the same version needs no redraw. */
  get version(): number {
    return this.counted;
  }

  /** When the newest frame was sent; null before the first. */
  get newest_ms(): number | null {
    return this.ticks.end === this.ticks.first ? null : this.ticks.at(this.ticks.end - 1);
  }

  get oldest_ms(): number | null {
    return this.ticks.end === this.ticks.first ? null : this.ticks.at(this.ticks.first);
  }

  /** The current conditions; null until received. */
  get conditions(): Conditions | null {
    return this.known;
  }

  /** The conditions at `oldest_ms`; each later change has a mark. Null until received. */
  get firstConditions(): Conditions | null {
    return this.knownFirst;
  }

  /** The conditions with which the cluster was started; null if it did not send them. */
  get normalConditions(): Conditions | null {
    return this.knownNormal;
  }

  /** Number of shards in the cluster; it grows as shards join. 0 until received. */
  get shards(): number {
    return this.shardCount;
  }

  /** Oldest first; a new array after each change. */
  get marks(): readonly Mark[] {
    return this.markList;
  }

  /** Frames that did not reach the page because the page or its connection was too slow. */
  get missed(): number {
    return this.missedFrames;
  }

  /** Shards without a report in the newest frame. */
  get silent(): readonly number[] {
    return this.silentShards;
  }

  /** `isPast`: the message is history; `greet` has already set the present state. */
  take(message: TelemetryMessage, isPast = false): void {
    if (message.kind === 'frame') this.takeFrame(message);
    else if (message.kind === 'mark') this.takeMark(message, isPast);
    else this.takeWelcome(message, isPast);
    this.counted += 1;
  }

  /** Sets the present state before the history that leads to it is taken. The same welcome is to be taken after the history. */
  greet({ conditions, normal, shards }: WelcomeMessage): void {
    this.known = conditions;
    this.knownNormal = normal ?? null;
    this.shardCount = shards;
    this.counted += 1;
  }

  /** Forgets everything. */
  clear(): void {
    this.forgetSeries();
    this.markList = [];
    this.known = null;
    this.knownFirst = null;
    this.knownNormal = null;
    this.shardCount = 0;
    this.missedFrames = 0;
    this.silentShards = [];
    this.lastNumber = 0;
    this.counted += 1;
  }

  private takeWelcome(message: WelcomeMessage, isPast: boolean): void {
    if (!isPast) this.greet(message);
    this.knownFirst ??= message.conditions;
    // Each stream numbers its frames from the start.
    this.lastNumber = 0;
    for (const { id, at_ms, what } of message.marks) this.addMark({ id, at_ms, what });
  }

  private takeMark({ id, at_ms, what }: MarkMessage, isPast: boolean): void {
    if (!isPast && 'conditions' in what) this.known = what.conditions;
    this.addMark({ id, at_ms, what });
  }

  private addMark(mark: KnownMark): void {
    if (this.markList.some(({ id }) => id === mark.id) || this.isKnownChange(mark)) return;
    this.markList = [...this.markList, mark].sort((one, other) => one.at_ms - other.at_ms).slice(-MARKS_MAX);
  }

  /** The change before or after it is to the same conditions, which is no change. */
  private isKnownChange({ at_ms, what }: KnownMark): boolean {
    if (!('conditions' in what)) return false;
    const changes = this.markList.filter((mark) => 'conditions' in mark.what && Math.abs(mark.at_ms - at_ms) < SAME_CHANGE_MS);
    const before = changes.findLast((mark) => mark.at_ms <= at_ms);
    const after = changes.find((mark) => mark.at_ms > at_ms);
    const conditions = JSON.stringify(what);
    return [before, after].some((mark) => mark !== undefined && JSON.stringify(mark.what) === conditions);
  }

  private takeFrame(message: FrameMessage): void {
    const newest_ms = this.newest_ms;
    if (newest_ms !== null && message.at_ms < newest_ms - CLOCK_BACK_MS) this.forgetSeries();
    const at_ms = Math.max(message.at_ms, this.newest_ms ?? -Infinity);
    const oldest_ms = at_ms - HISTORY_MS;
    this.ticks.add(at_ms, this.elapsedOf(message), oldest_ms);
    this.totals.take(message.shards);
    this.conflicts.take(message.shards);
    this.records.take(at_ms, message.shards, oldest_ms);
    this.replication.take(at_ms, message.replication, oldest_ms);
    this.slots.take(at_ms, message.slots, oldest_ms);
    this.turns.take(at_ms, message.shards, oldest_ms);
    this.epochs.take(message.shards, oldest_ms);
    this.waiters.take(at_ms, message.shards, oldest_ms);
    this.samples.take(at_ms, message.shards, oldest_ms);
    this.missedFrames += message.missed;
    this.silentShards = message.silent;
    this.lastNumber = message.number;
    this.shardCount = Math.max(this.shardCount, shardsIn(message));
    this.forgetMarks(oldest_ms);
  }

  private forgetMarks(oldest_ms: number): void {
    const kept = this.markList.findIndex((mark) => mark.at_ms >= oldest_ms);
    if (kept === 0 || this.markList.length === 0) return;
    const gone = kept < 0 ? this.markList : this.markList.slice(0, kept);
    for (const { what } of gone) if ('conditions' in what) this.knownFirst = what.conditions;
    this.markList = kept < 0 ? [] : this.markList.slice(kept);
  }

  /**
   * The time that a frame covers: since the previous frame, if that one was taken; otherwise according to its shards, each of which
   * reports on the time since its own previous frame.
   */
  private elapsedOf({ number, at_ms, missed, shards }: FrameMessage): number {
    const newest_ms = this.newest_ms;
    if (newest_ms !== null && missed === 0 && number === this.lastNumber + 1 && number > 1) return Math.max(0, at_ms - newest_ms);
    const elapsed = new Map<number, number>();
    for (const { shard, telemetry } of shards) elapsed.set(shard, (elapsed.get(shard) ?? 0) + telemetry.elapsedMs);
    return Math.max(0, ...elapsed.values());
  }

  private forgetSeries(): void {
    this.ticks.clear();
    this.totals.clear();
    this.records.clear();
    this.replication.clear();
    this.slots.clear();
    this.turns.clear();
    this.epochs.clear();
    this.waiters.clear();
    this.samples.clear();
  }
}

/** The least number of shards that the cluster had then. Shards are numbered from 0, and none leaves. */
const shardsIn = ({ shards, silent, slots }: FrameMessage): number =>
  1 + Math.max(-1, ...[...shards, ...(slots?.shards ?? [])].map(({ shard }) => shard), ...silent);
