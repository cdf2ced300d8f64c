// Holds what a site's live stream has said and tells its listeners at most every FLUSH_MS, however fast events arrive.
// What the pages wish for together makes the stream's address; it settles before a new stream is opened.

const FLUSH_MS = 80;
const SETTLE_MS = 60;

export interface LiveRules<State, Wish> {
  /** Before anything was said. */
  silent: State;
  /**
   * The next state; the same object when nothing changed. `event` is the event's object, of any shape if its name is
   * unknown. `hello` and `connection` come here as well, after the store has taken its part.
   */
  hear(state: State, name: string, event: object): State;
  /** Where the stream is that carries these wishes, the latest last. The same wishes make the same address. */
  address(wishes: readonly Wish[]): string;
}

export class LiveStore<State, Wish> {
  private readonly rules: LiveRules<State, Wish>;
  private state: State;
  private shown: State;
  private isReachable = true;
  private isShownReachable = true;
  private settledAddress: string;
  private readonly wishes = new Map<symbol, Wish>();
  private readonly listeners = new Set<() => void>();
  private flushTimer: ReturnType<typeof setTimeout> | null = null;
  private settleTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(rules: LiveRules<State, Wish>) {
    this.rules = rules;
    this.state = rules.silent;
    this.shown = rules.silent;
    this.settledAddress = rules.address([]);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = (): State => this.shown;

  /** False while the app server cannot reach the store: what is shown may be old. */
  isStoreReachable = (): boolean => this.isShownReachable;

  /** Where the stream is that carries what the pages wish for. */
  address = (): string => this.settledAddress;

  /** Takes an event as it came; unreadable data and unknown names change nothing. */
  hear(name: string, data: string): void {
    const event = readEvent(data);
    if (event === null) return;
    if (name === 'connection') this.isReachable = (event as { connected?: unknown }).connected === true;
    if (name === 'hello') this.isReachable = true;
    this.state = this.rules.hear(this.state, name, event);
    if (this.state !== this.shown || this.isReachable !== this.isShownReachable) {
      this.flushTimer ??= setTimeout(this.flush, FLUSH_MS);
    }
  }

  /** Changes the state at once: another person looks, or this page knows something itself. */
  change(next: (state: State) => State): void {
    this.state = next(this.state);
    this.flush();
  }

  /** A page shows something that is to be kept live; returns how it says that it no longer does. */
  wish(wish: Wish): () => void {
    const key = Symbol();
    this.wishes.set(key, wish);
    this.settle();
    return () => {
      this.wishes.delete(key);
      this.settle();
    };
  }

  private settle(): void {
    if (this.settleTimer !== null) clearTimeout(this.settleTimer);
    this.settleTimer = setTimeout(() => {
      const address = this.rules.address([...this.wishes.values()]);
      if (address === this.settledAddress) return;
      this.settledAddress = address;
      this.tell();
    }, SETTLE_MS);
  }

  private flush = (): void => {
    if (this.flushTimer !== null) clearTimeout(this.flushTimer);
    this.flushTimer = null;
    this.shown = this.state;
    this.isShownReachable = this.isReachable;
    this.tell();
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** The event's object; null for anything else. */
export function readEvent(data: string): object | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
