// The beat in which React is notified of telemetry: at most four times a second, and only when there is something new: messages or
// another span. Faster changes are drawn on canvases.
import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { TimeAxis } from './timeAxis.ts';

export const BEAT_MS = 250;

export interface BeatClock {
  now(): number;
  setTimeout(run: () => void, delay_ms: number): number;
  clearTimeout(timer: number): void;
}

export class Beat {
  /** increases with each beat */
  count = 0;
  private readonly store: Pick<TelemetryStore, 'version'>;
  private readonly axis: TimeAxis;
  private readonly clock: BeatClock;
  private readonly listeners = new Set<() => void>();
  private timer: number | null = null;
  private beaten_at_ms = Number.NEGATIVE_INFINITY;
  private seen = '';
  private stopAxis: (() => void) | null = null;

  constructor(store: Pick<TelemetryStore, 'version'>, axis: TimeAxis, clock: BeatClock) {
    this.store = store;
    this.axis = axis;
    this.clock = clock;
  }

  /** Beats while there is a listener. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    this.stopAxis ??= this.axis.onChange(() => this.soon());
    if (this.timer === null) this.wait(BEAT_MS);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.stopAxis?.();
      this.stopAxis = null;
      if (this.timer !== null) this.clock.clearTimeout(this.timer);
      this.timer = null;
    };
  }

  /** User actions are reported at once, unless the last beat was just now. */
  private soon(): void {
    const since_ms = this.clock.now() - this.beaten_at_ms;
    if (since_ms >= BEAT_MS) this.beat();
  }

  private wait(delay_ms: number): void {
    this.timer = this.clock.setTimeout(() => this.beat(), delay_ms);
  }

  private beat(): void {
    if (this.timer !== null) this.clock.clearTimeout(this.timer);
    this.wait(BEAT_MS);
    const now = `${this.store.version} ${this.axis.version}`;
    if (now === this.seen) return;
    this.seen = now;
    this.beaten_at_ms = this.clock.now();
    this.count += 1;
    for (const listener of this.listeners) listener();
  }
}
