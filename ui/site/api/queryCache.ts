// The answers that pages have read from the server, by path. A cached answer is shown at once, and reloaded if it is older than FRESH_MS;
// two readers of one path share one request. Independent of React.
import { asProblem, isPassing, type ApiProblem } from './client.ts';

export interface QueryState<Answer, Code extends string = string> {
  readonly data: Answer | null;
  readonly problem: ApiProblem<Code> | null;
  readonly isLoading: boolean;
}

interface Entry {
  state: QueryState<unknown>;
  read_at_ms: number;
  request: Promise<void> | null;
  listeners: Set<() => void>;
}

const FRESH_MS = 5_000;
const ENTRIES_MAX = 200;
const IDLE: QueryState<never> = { data: null, problem: null, isLoading: true };

export class QueryCache {
  private entries = new Map<string, Entry>();
  private audienceNumber = 0;
  private readonly fetch: (path: string) => Promise<unknown>;
  private readonly now: () => number;

  constructor(fetch: (path: string) => Promise<unknown>, now: () => number) {
    this.fetch = fetch;
    this.now = now;
  }

  /** Changes with each person who logs in or out: what was read for one is never shown to the next. */
  get audience(): number {
    return this.audienceNumber;
  }

  state<Answer, Code extends string = string>(path: string): QueryState<Answer, Code> {
    return (this.entries.get(path)?.state ?? IDLE) as QueryState<Answer, Code>;
  }

  subscribe(path: string, listener: () => void): () => void {
    const entry = this.entry(path);
    entry.listeners.add(listener);
    return () => void entry.listeners.delete(listener);
  }

  /** Loads the path, or reloads it if its answer is old. `fetch`: how, if the path's own request is not to be sent for it. */
  load(path: string, isForced = false, fetch = this.fetch): Promise<void> {
    const entry = this.entry(path);
    const isFresh = entry.state.data !== null && this.now() - entry.read_at_ms < FRESH_MS;
    if (entry.request && !isForced) return entry.request;
    if (isFresh && !isForced) return Promise.resolve();
    if (entry.state.data === null && !entry.state.isLoading) this.change(entry, IDLE);
    const request: Promise<void> = fetch(path).then(
      (data) => this.settle(entry, request, { data, problem: null, isLoading: false }),
      (thrown: unknown) => this.settle(entry, request, { data: entry.state.data, problem: asProblem(thrown), isLoading: false }),
    );
    entry.request = request;
    return request;
  }

  /** Reloads shown answers that failed because the site, or a part of its store, could not be reached. */
  retry(): void {
    for (const [path, { state, listeners }] of this.entries) {
      if (state.problem !== null && isPassing(state.problem.code) && listeners.size > 0) void this.load(path, true);
    }
  }

  /** Drops all answers and reloads the shown ones: another person has logged in or out. */
  clear(): void {
    this.audienceNumber++;
    for (const [path, entry] of this.entries) {
      entry.request = null;
      if (entry.listeners.size === 0) this.entries.delete(path);
      else void this.load(path, true);
    }
  }

  private settle(entry: Entry, request: Promise<void>, state: QueryState<unknown>): void {
    if (entry.request !== request) return;
    entry.request = null;
    entry.read_at_ms = this.now();
    this.change(entry, state);
  }

  private change(entry: Entry, state: QueryState<unknown>): void {
    entry.state = state;
    for (const listener of entry.listeners) listener();
  }

  private entry(path: string): Entry {
    let entry = this.entries.get(path);
    if (!entry) {
      this.evict();
      entry = { state: IDLE, read_at_ms: 0, request: null, listeners: new Set() };
      this.entries.set(path, entry);
    }
    return entry;
  }

  /** Makes room by dropping the oldest answers that are not shown. */
  private evict(): void {
    if (this.entries.size < ENTRIES_MAX) return;
    for (const [path, entry] of this.entries) {
      if (entry.listeners.size > 0 || entry.request) continue;
      this.entries.delete(path);
      return;
    }
  }
}
