// Deadlines: every transaction of this client that has not been settled, and the one timer that looks after them. A transaction
// is in here from its beginning until its caller is told, whether it waits for its turn, for a shard, for its own body, or
// for its next attempt. So none can be forgotten: past its deadline and OUTCOME_GRACE_MS, `look` settles it in any state.

import type { Environment, Timer } from './environment.ts';

/** Between two looks. */
const LOOK_MS = 50;
/** A look that comes this much late: the process stood still. */
const LATE_MS = 100;

export interface Limited {
  /** Tells its caller where its time is over. */
  look(nowMs: number): void;
}

export class Deadlines<Transaction extends Limited> {
  readonly #environment: Environment;
  readonly #beside: (nowMs: number) => boolean;
  readonly #unsettled = new Set<Transaction>();
  #timer: Timer | null = null;
  #dueMs = 0;
  #putOff = false;

  /** `beside` is called with each look; true: it wants to be called again, even if no transaction is left. */
  constructor(environment: Environment, beside: (nowMs: number) => boolean) {
    this.#environment = environment;
    this.#beside = beside;
  }

  /** Transactions whose callers have not been told. */
  get unsettled(): number {
    return this.#unsettled.size;
  }

  add(transaction: Transaction): void {
    this.#unsettled.add(transaction);
    if (this.#timer === null) this.#setTimer();
  }

  remove(transaction: Transaction): void {
    this.#unsettled.delete(transaction);
  }

  /** They may be removed meanwhile. */
  [Symbol.iterator](): IterableIterator<Transaction> {
    return this.#unsettled.values();
  }

  stop(): void {
    if (this.#timer !== null) this.#environment.clearTimeout(this.#timer);
    this.#timer = null;
  }

  #setTimer(): void {
    this.#dueMs = this.#environment.monotonicMs() + LOOK_MS;
    this.#timer = this.#environment.setTimeout(this.#onTimer, LOOK_MS);
  }

  readonly #onTimer = (): void => {
    const nowMs = this.#environment.monotonicMs();
    // Timers run before sockets are read: answers that came while the process stood still are taken in first. Once only, or a
    // process that is always busy would put it off for ever.
    this.#putOff = !this.#putOff && nowMs - this.#dueMs > LATE_MS;
    if (!this.#putOff) for (const transaction of this.#unsettled) this.#look(transaction, nowMs);
    const wanted = this.#beside(nowMs);
    this.#timer = null;
    if (wanted || this.#unsettled.size > 0) this.#setTimer();
  };

  /** What goes wrong with one keeps nobody from the others. */
  #look(transaction: Transaction, nowMs: number): void {
    try {
      transaction.look(nowMs);
    } catch (error) {
      this.#environment.setImmediate(() => {
        throw error;
      });
    }
  }
}
