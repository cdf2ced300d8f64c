// Holds the live state and tells its listeners at most every FLUSH_MS, however fast events arrive.
// The set of followed items is what the pages ask for together; it settles before a new stream is opened.
import { hear, SILENT, type LiveState } from './liveState.ts';

const FLUSH_MS = 80;
const SETTLE_MS = 60;
/** The server's LIMITS.live_items_max. */
const FOLLOWED_MAX = 40;

export class LiveStore {
  private state: LiveState = SILENT;
  private shown: LiveState = SILENT;
  private followed: readonly string[] = [];
  private readonly wishes = new Map<symbol, readonly string[]>();
  private readonly listeners = new Set<() => void>();
  private flushTimer: ReturnType<typeof setTimeout> | null = null;
  private settleTimer: ReturnType<typeof setTimeout> | null = null;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = (): LiveState => this.shown;

  /** Ids that the stream should carry, sorted; a new array only when they changed. */
  followedItems = (): readonly string[] => this.followed;

  hear(name: string, data: string): void {
    this.state = hear(this.state, name, data);
    if (this.state !== this.shown) this.flushTimer ??= setTimeout(this.flush, FLUSH_MS);
  }

  /** Another person: nothing of the one before may be shown, only their own notices from earlier. */
  welcome(notices: LiveState['notices']): void {
    this.state = { ...SILENT, items: this.state.items, notices };
    this.flush();
  }

  /** A page shows these items; returns how it says that it no longer does. */
  follow(ids: readonly string[]): () => void {
    const wish = Symbol();
    this.wishes.set(wish, ids);
    this.settle();
    return () => {
      this.wishes.delete(wish);
      this.settle();
    };
  }

  private settle(): void {
    if (this.settleTimer !== null) clearTimeout(this.settleTimer);
    this.settleTimer = setTimeout(() => {
      const wanted = [...new Set([...this.wishes.values()].flat())].slice(-FOLLOWED_MAX).sort();
      if (wanted.join() === this.followed.join()) return;
      this.followed = wanted;
      this.tell();
    }, SETTLE_MS);
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
