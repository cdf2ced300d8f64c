// Deadlines: the transactions of this client that are not settled, and the one timer that checks them. A transaction is in the list
// from its beginning until its promise settles, whether it waits for its turn, for a shard, for its own body, or for its next
// attempt. So none can be forgotten: after its deadline and OUTCOME_GRACE_MS, `look` settles it in any state.

import type { Environment, Timer } from '../environment/environment.ts';
import { throwLater } from '../environment/tell.ts';

/** The period of the checks. */
const LOOK_MS = 50;
/** If a check is this late, the process stood still. */
const LATE_MS = 100;

/** A transaction. Implemented once, since transactions stand above their limits. */
export interface Limited {
  /** its place in the list of `Deadlines`, which sets this */
  place: number;
  /** Settles the transaction if its time is over. */
  look(nowMs: number): void;
}

export class Deadlines<Transaction extends Limited> {
  readonly #environment: Environment;
  readonly #beside: (nowMs: number) => boolean;
  /**
   * In no order. It is no Set, since V8 links each hash table that a Set has outgrown to its next one. A full collection leaves the
   * present table in the old generation; from then on every later table lives until the next full collection, with all transactions in
   * it.
   */
  readonly #unsettled: Transaction[] = [];
  #timer: Timer | null = null;
  #dueMs = 0;
  #putOff = false;

  /** @param beside called with each check; it returns true to be called again even if no transaction is left */
  constructor(environment: Environment, beside: (nowMs: number) => boolean) {
    this.#environment = environment;
    this.#beside = beside;
  }

  /** The number of transactions that are not settled. */
  get unsettled(): number {
    return this.#unsettled.length;
  }

  add(transaction: Transaction): void {
    transaction.place = this.#unsettled.length;
    this.#unsettled.push(transaction);
    if (this.#timer === null) this.#setTimer();
  }

  /** The last one takes its place. */
  remove(transaction: Transaction): void {
    if (this.#unsettled[transaction.place] !== transaction) return;
    const last = this.#unsettled.pop()!;
    if (last === transaction) return;
    last.place = transaction.place;
    this.#unsettled[last.place] = last;
  }

  /** Iterates over those that are unsettled now. Transactions may be removed during the iteration. */
  [Symbol.iterator](): IterableIterator<Transaction> {
    return [...this.#unsettled].values();
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
    // Timers run before sockets are read. So after a standstill, the answers that arrived meanwhile are read first. The check is put
    // off once only, or a process that is always busy would put it off for ever.
    this.#putOff = !this.#putOff && nowMs - this.#dueMs > LATE_MS;
    if (!this.#putOff) for (const transaction of this) this.#look(transaction, nowMs);
    const wanted = this.#beside(nowMs);
    this.#timer = null;
    if (wanted || this.#unsettled.length > 0) this.#setTimer();
  };

  /** An error in one transaction must not stop the checks of the others. */
  #look(transaction: Transaction, nowMs: number): void {
    try {
      transaction.look(nowMs);
    } catch (error) {
      throwLater(this.#environment, error);
    }
  }
}
