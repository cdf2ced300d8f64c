// Holds the state of a site's live stream and notifies its listeners at most every FLUSH_MS, however fast events arrive. The wishes of all
// components together make the stream's query; it settles before a new stream is opened.

const FLUSH_MS = 80;
const SETTLE_MS = 100;
/** A visitor who scrolls on and on gets a new stream after this time all the same. */
const SETTLE_LONGEST_MS = 1_500;

export interface LiveRules<State, Wish, Query> {
  /** the state before the first event */
  silent: State;
  /**
   * The next state; the same object if nothing changed. `event` is the event's object, of any shape if its name is unknown. `hello` and
   * `connection` are passed on as well, after the store has handled them.
   */
  hear(state: State, name: string, event: object): State;
  /** the query of a stream that carries nothing */
  nothing: Query;
  /** The stream's query, for wishes with the latest last; `before` itself while it suffices, since another query opens a new stream. */
  query(wishes: readonly Wish[], before: Query): Query;
  /** the URL of the stream that all visible pages share: with all of their queries, the latest last */
  address(queries: readonly Query[]): string;
}

export class LiveStore<State, Wish, Query> {
  private readonly rules: LiveRules<State, Wish, Query>;
  private state: State;
  private shown: State;
  private isReachable = true;
  private isShownReachable = true;
  private settled: Query;
  private isStarted = false;
  private isOpen = false;
  private readonly wishes = new Map<symbol, Wish>();
  private readonly listeners = new Set<() => void>();
  private flushTimer: ReturnType<typeof setTimeout> | null = null;
  private settleTimer: ReturnType<typeof setTimeout> | null = null;
  private unsettledSince_ms = 0;

  constructor(rules: LiveRules<State, Wish, Query>) {
    this.rules = rules;
    this.state = rules.silent;
    this.shown = rules.silent;
    this.settled = rules.nothing;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  snapshot = (): State => this.shown;

  /** False while the app server cannot reach the store: the page may be stale. */
  isStoreReachable = (): boolean => this.isShownReachable;

  /** The query that carries all wishes; null until wishes have settled after `start`. The same object until it changes. */
  query = (): Query | null => (this.isOpen ? this.settled : null);

  /** Allows streams from now on; the first one carries the wishes of the first page. */
  start(): void {
    if (this.isStarted) return;
    this.isStarted = true;
    this.settle();
  }

  /** Takes an event as received; malformed data and unknown names change nothing. */
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

  /** Changes the state at once: another person has logged in or out, or this page has made a change itself. */
  change(next: (state: State) => State): void {
    this.state = next(this.state);
    this.flush();
  }

  /** Subscribes to live data; returns a function that unsubscribes. */
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
    if (this.settleTimer === null) this.unsettledSince_ms = performance.now();
    else clearTimeout(this.settleTimer);
    const left_ms = this.unsettledSince_ms + SETTLE_LONGEST_MS - performance.now();
    this.settleTimer = setTimeout(
      () => {
        this.settleTimer = null;
        const query = this.rules.query([...this.wishes.values()], this.settled);
        const opens = this.isStarted && !this.isOpen;
        if (query === this.settled && !opens) return;
        this.settled = query;
        this.isOpen = this.isStarted;
        this.tell();
      },
      Math.max(0, Math.min(SETTLE_MS, left_ms)),
    );
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
