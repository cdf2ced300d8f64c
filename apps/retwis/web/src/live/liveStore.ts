// Holds the live state and tells its listeners at most every FLUSH_MS, however fast events arrive; and gathers what the
// pages wish to hear of, which settles before another stream is opened.
import { hear, SILENT, type LiveState } from './liveState.ts';
import { NOTHING, queryFor, type LiveQuery, type LiveWish } from './liveWish.ts';

const FLUSH_MS = 80;
const SETTLE_MS = 150;
/** Who scrolls on and on gets another stream all the same. */
const SETTLE_LONGEST_MS = 1_500;

export class LiveStore {
  private state: LiveState = SILENT;
  private shown: LiveState = SILENT;
  private wanted: LiveQuery = NOTHING;
  private readonly wishes = new Map<symbol, LiveWish>();
  private readonly listeners = new Set<() => void>();
  private flushTimer: ReturnType<typeof setTimeout> | null = null;
  private settleTimer: ReturnType<typeof setTimeout> | null = null;
  private unsettledSince_ms = 0;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = (): LiveState => this.shown;

  /** What the stream should carry; a new object only when that has to change. */
  query = (): LiveQuery => this.wanted;

  hear(name: string, data: string): void {
    this.state = hear(this.state, name, data);
    if (this.state !== this.shown) this.flushTimer ??= setTimeout(this.flush, FLUSH_MS);
  }

  /** Another person, or nobody: nothing of the one before may be shown. */
  welcome(): void {
    this.state = { ...this.state, timeline: null };
    this.flush();
  }

  /** Something on the page wants to hear of this; returns how it says that it no longer does. */
  wish(wish: LiveWish): () => void {
    const key = Symbol();
    this.wishes.set(key, wish);
    this.settle();
    return () => {
      this.wishes.delete(key);
      this.settle();
    };
  }

  private settle(): void {
    if (this.settleTimer === null) this.unsettledSince_ms = performance.now();
    else clearTimeout(this.settleTimer);
    const left_ms = this.unsettledSince_ms + SETTLE_LONGEST_MS - performance.now();
    this.settleTimer = setTimeout(() => {
      this.settleTimer = null;
      const wanted = queryFor(this.wishes.values(), this.wanted);
      if (wanted === this.wanted) return;
      this.wanted = wanted;
      this.tell();
    }, Math.max(0, Math.min(SETTLE_MS, left_ms)));
  }

  private flush = (): void => {
    if (this.flushTimer !== null) clearTimeout(this.flushTimer);
    this.flushTimer = null;
    this.shown = this.state;
    this.tell();
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
