// Plays a recording into a store at the original speed, from any position. Going back refills the store with the state at that
// time.
//
// All work is done by one timer. A piece of work lasts at most WORK_MS; the remaining work is done by the next timer, so that a
// long jump does not block the page. Pieces are not shorter, because the page draws itself anew between them.
import type { TelemetryStore } from '../store/telemetryStore.ts';
import { HISTORY_MS } from '../store/span.ts';
import { decode } from '@claret/client/telemetry';
import type { Recording } from './recording.ts';

const STEP_MS = 50;
const WORK_MS = 100;

export interface ReplayWorld {
  setTimeout(run: () => void, delay_ms: number): number;
  clearTimeout(timer: number): void;
  /** monotonic clock, ms */
  now(): number;
}

export class ReplayFeed {
  readonly recording: Recording;
  private readonly store: TelemetryStore;
  private readonly world: ReplayWorld;
  private readonly onChange: () => void;
  private readonly decoder = new TextDecoder();
  private timer: number | null = null;
  /** index of the next message to take */
  private next = 0;
  /** the current position, on the recording's clock */
  private position_ms: number;
  private stepped_ms = 0;
  private plays = false;
  /** catching up has been reported, by a jump or because it takes several pieces of work */
  private isBehind = false;

  /** Calls `onChange` when it starts, stops, jumps, has caught up or ends. */
  constructor(recording: Recording, store: TelemetryStore, world: ReplayWorld, onChange: () => void) {
    this.recording = recording;
    this.store = store;
    this.world = world;
    this.onChange = onChange;
    this.position_ms = this.from_ms;
  }

  get from_ms(): number {
    return this.recording.times[0] ?? 0;
  }

  get to_ms(): number {
    return this.recording.times.at(-1) ?? 0;
  }

  get at_ms(): number {
    return Math.min(this.position_ms, this.to_ms);
  }

  /** The store does not have all messages up to the position yet. */
  get isCatchingUp(): boolean {
    return !this.isAtEnd && this.recording.times[this.next]! <= this.position_ms;
  }

  get isPlaying(): boolean {
    return this.plays;
  }

  get isAtEnd(): boolean {
    return this.next >= this.recording.lines.length;
  }

  /** Continues from the current position; from the beginning, if that position is the end. */
  play(): void {
    if (this.plays) return;
    if (this.isAtEnd) this.rewind(this.from_ms);
    this.plays = true;
    this.stepped_ms = this.world.now();
    this.plan(0);
    this.onChange();
  }

  pause(): void {
    if (!this.plays) return;
    this.plays = false;
    this.onChange();
  }

  /** Jumps to a time on the recording's clock; keeps playing if it was playing. */
  jump(to_ms: number): void {
    const at_ms = Math.max(this.from_ms, Math.min(this.to_ms, to_ms));
    if (at_ms < this.position_ms) this.rewind(at_ms);
    this.position_ms = at_ms;
    this.stepped_ms = this.world.now();
    this.isBehind = this.isCatchingUp;
    this.plan(0);
    this.onChange();
  }

  close(): void {
    this.plays = false;
    if (this.timer !== null) this.world.clearTimeout(this.timer);
    this.timer = null;
  }

  /** Empties the store; the next message is the first that still counts at that time. */
  private rewind(to_ms: number): void {
    this.store.clear();
    this.position_ms = to_ms;
    this.next = 0;
    const oldest_ms = to_ms - HISTORY_MS;
    const { times } = this.recording;
    if (times[0]! >= oldest_ms) return;
    // From messages older than that only the conditions are needed; marks and welcomes are few.
    while (this.next < times.length && times[this.next]! < oldest_ms) this.takeNext((kind) => kind !== 'frame');
  }

  private plan(delay_ms: number): void {
    if (this.timer !== null) this.world.clearTimeout(this.timer);
    this.timer = this.world.setTimeout(() => this.step(), delay_ms);
  }

  private step(): void {
    this.timer = null;
    const now_ms = this.world.now();
    if (this.plays) this.position_ms += Math.max(0, now_ms - this.stepped_ms);
    this.stepped_ms = now_ms;
    while (this.isCatchingUp) {
      if (this.world.now() - now_ms > WORK_MS) {
        this.isBehind = true;
        return this.plan(0);
      }
      this.takeNext(() => true);
    }
    const hasCaughtUp = this.isBehind;
    this.isBehind = false;
    if (this.isAtEnd && this.plays) {
      this.plays = false;
      this.position_ms = this.to_ms;
      this.onChange();
    } else if (hasCaughtUp) {
      this.onChange();
    }
    if (this.plays) this.plan(STEP_MS);
  }

  private takeNext(isWanted: (kind: string) => boolean): void {
    const decoded = decode(this.decoder.decode(this.recording.lines[this.next]));
    this.next += 1;
    if ('message' in decoded && isWanted(decoded.message.kind)) this.store.take(decoded.message);
  }
}
