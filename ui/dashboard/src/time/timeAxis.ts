// The one time axis of all charts. It follows the newest data, or stands still while the user looks closer; pausing stops the axis,
// never the collection of telemetry. `version` increases with every change: drawings check it once a frame. `onChange` reports user
// actions (not `advance`, which comes with every frame).
import { HISTORY_MS, type Span } from '../store/span.ts';

export type { Span };

export const WIDTH_MS_MIN = 200;
/** all that the store keeps */
export const WIDTH_MS_MAX = HISTORY_MS;
export const WIDTH_MS_AT_FIRST = 60_000;

export class TimeAxis {
  private from_ms = -WIDTH_MS_AT_FIRST;
  private to_ms = 0;
  private newest_ms: number | null = null;
  private follows = true;
  private picks = false;
  private hovered_ms: number | null = null;
  private changes = 0;
  private shown: Span | null = null;
  private readonly listeners = new Set<() => void>();

  /** A new object after each change, the same object in between. */
  get span(): Span {
    return (this.shown ??= { from_ms: this.from_ms, to_ms: this.to_ms });
  }

  get following(): boolean {
    return this.follows;
  }

  /** a span was picked, and is what is looked at: not its end alone */
  get picked(): boolean {
    return this.picks;
  }

  /** the instant that is pointed at in any chart */
  get hover_ms(): number | null {
    return this.hovered_ms;
  }

  get version(): number {
    return this.changes;
  }

  /** Shows the newest data and follows it; the width stays. */
  follow(): void {
    this.follows = true;
    this.picks = false;
    if (this.newest_ms !== null) this.show(this.newest_ms - this.width_ms, this.newest_ms);
    this.tell();
  }

  pause(): void {
    this.follows = false;
    this.tell();
  }

  /** `factor` 2 shows half as much time. The instant `around_ms` stays in place; while following, the newest data does. */
  zoom(factor: number, around_ms?: number): void {
    if (!(factor > 0) || !Number.isFinite(factor)) return;
    const width_ms = clamp(this.width_ms / factor, WIDTH_MS_MIN, WIDTH_MS_MAX);
    const at_ms = this.follows ? this.to_ms : (around_ms ?? (this.from_ms + this.to_ms) / 2);
    const from_ms = at_ms - (at_ms - this.from_ms) * (width_ms / this.width_ms);
    this.showInBounds(from_ms, from_ms + width_ms);
    this.tell();
  }

  /** Shows this length of time, up to the same instant as before; keeps following. */
  showWidth(width_ms: number): void {
    if (!Number.isFinite(width_ms)) return;
    this.picks = false;
    this.showInBounds(this.to_ms - clamp(width_ms, WIDTH_MS_MIN, WIDTH_MS_MAX), this.to_ms);
    this.tell();
  }

  /** Shows the time up to this instant, as much of it as before; stops following. */
  standAt(to_ms: number): void {
    if (!Number.isFinite(to_ms)) return;
    this.follows = false;
    this.picks = false;
    this.showInBounds(to_ms - this.width_ms, to_ms);
    this.tell();
  }

  /** Later (positive) or earlier; stops following. */
  pan(by_ms: number): void {
    if (!Number.isFinite(by_ms)) return;
    this.follows = false;
    this.showInBounds(this.from_ms + by_ms, this.to_ms + by_ms);
    this.tell();
  }

  /** Shows this span, with its ends in either order, within the limits of the axis; stops following. */
  pick({ from_ms, to_ms }: Span): void {
    if (!Number.isFinite(from_ms) || !Number.isFinite(to_ms)) return;
    const middle_ms = (from_ms + to_ms) / 2;
    const half_ms = clamp(Math.abs(to_ms - from_ms), WIDTH_MS_MIN, WIDTH_MS_MAX) / 2;
    this.follows = false;
    this.picks = true;
    this.showInBounds(middle_ms - half_ms, middle_ms + half_ms);
    this.tell();
  }

  hover(at_ms: number | null): void {
    if (at_ms === this.hovered_ms) return;
    this.hovered_ms = at_ms;
    this.tell();
  }

  /** Called once per animation frame with the newest instant that is fully known. It may go back when a recording jumps. */
  advance(now_ms: number): void {
    if (now_ms === this.newest_ms) return;
    this.newest_ms = now_ms;
    if (this.follows) this.show(now_ms - this.width_ms, now_ms);
  }

  /** A different source begins, such as a recording: the bounds of the old one no longer apply. */
  reset(): void {
    this.newest_ms = null;
    this.hovered_ms = null;
    this.follows = true;
    this.picks = false;
    this.tell();
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private get width_ms(): number {
    return this.to_ms - this.from_ms;
  }

  /** Neither beyond the newest nor before the oldest kept data. */
  private showInBounds(from_ms: number, to_ms: number): void {
    if (this.newest_ms === null) return this.show(from_ms, to_ms);
    const width_ms = to_ms - from_ms;
    const to = clamp(to_ms, this.newest_ms - WIDTH_MS_MAX + width_ms, this.newest_ms);
    this.show(to - width_ms, to);
  }

  private show(from_ms: number, to_ms: number): void {
    this.from_ms = from_ms;
    this.to_ms = to_ms;
    this.shown = null;
    this.changes += 1;
  }

  private tell(): void {
    this.changes += 1;
    for (const listener of this.listeners) listener();
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
