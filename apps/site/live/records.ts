// Watched records of this app server: one watch per record, however many followers it has.
//
// A record is watched from its first follower on, and for LINGER_MS after the last one has gone, since people move between pages that show
// the same items. Watching never takes a lock.
import type { Change, Claret, Description, Watch } from '@claret/client';

export const LINGER_MS = 10_000;

type Listener = () => void;

export class WatchedRecord<Value> {
  // undefined until the store's first answer
  value: Value | undefined = undefined;
  readonly #listeners = new Set<Listener>();
  readonly #onIdle: () => void;
  #watch: Watch | null = null;
  #lingering: NodeJS.Timeout | null = null;

  constructor(claret: Claret, operation: Description<Value>, onIdle: () => void) {
    this.#onIdle = onIdle;
    this.#watch = claret.watch([operation], (change: Change<Value>) => {
      if (change.error !== undefined) return;
      this.value = change.value;
      for (const listener of this.#listeners) listener();
    });
  }

  // Returns a function that unsubscribes. The listener is called for later changes, not for the present value.
  follow(listener: Listener): () => void {
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#lingering = null;
    this.#listeners.add(listener);
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#lingering = setTimeout(() => this.close(), LINGER_MS);
    };
  }

  close(): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering);
    this.#watch?.close();
    this.#watch = null;
    this.#onIdle();
  }
}

export class WatchedRecords {
  readonly #claret: Claret;
  readonly #records = new Map<string, WatchedRecord<unknown>>();

  constructor(claret: Claret) {
    this.#claret = claret;
  }

  has(operation: Description<unknown>): boolean {
    return this.#records.has(nameOf(operation));
  }

  get<Value>(operation: Description<Value>): WatchedRecord<Value> {
    const name = nameOf(operation);
    let record = this.#records.get(name) as WatchedRecord<Value> | undefined;
    if (record === undefined) {
      record = new WatchedRecord(this.#claret, operation, () => this.#records.delete(name));
      this.#records.set(name, record as WatchedRecord<unknown>);
    }
    return record;
  }

  /** The cluster's time, for events about records. */
  nowMs(): number {
    return this.#claret.clock.nowMs();
  }

  get size(): number {
    return this.#records.size;
  }

  close(): void {
    for (const record of [...this.#records.values()]) record.close();
  }
}

const nameOf = ({ key, spec, args }: Description<unknown>): string => JSON.stringify([key, spec.name, args]);
