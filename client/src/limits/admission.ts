// Admission: limits the number of transactions of this process that run at once.
//
// A crowd at a very hot record hinders itself: the longer the queue at the record, the longer every lock is held, until most work
// is thrown away. So the process adapts its limit to the retries per commit. Many retries lower the limit, few raise it by one, and
// none raises it by a quarter, so that without contention the limit is soon out of reach.

/** Above this number of retries per commit, the limit falls. */
const RETRIES_PER_COMMIT_MAX = 0.06;
/**
 * The weight of a first retry. It requests at once everything that the transaction needs, and mostly succeeds. If many transactions
 * both read and change the hottest record, each of them must retry once, however few they are.
 */
const FIRST_RETRY = 0.25;
const DECREASE = 0.75;
/** The growth in a window without any retry. */
const INCREASE = 1.25;
const RUNNING_LEAST = 4;
const RUNNING_FIRST = 256;
/** Ended attempts between two changes of the limit. */
const WINDOW_ATTEMPTS = 64;
/**
 * The longest wait. A transaction may run within the body of another one, or a body may wait for something slow. Then the running
 * transactions would wait for those that are not admitted.
 */
const WAIT_MS_MAX = 250;

/** A transaction. Implemented once, since transactions stand above their limits. */
export interface Admitted {
  /** attempts that have ended */
  readonly retries: number;
  /** it has ended, so it must not be started any more */
  readonly settled: boolean;
  /** it counts as running; the admission sets this */
  admitted: boolean;
  start(): void;
}

export class Admission {
  #limit = RUNNING_FIRST;
  #running = 0;
  /** the queue begins at `#next`, so that a long list need not be moved for each transaction that leaves it */
  #waiting: { transaction: Admitted; sinceMs: number }[] = [];
  #next = 0;
  #commits = 0;
  #retries = 0;
  #crowded = false;
  #admitting = false;

  get limit(): number {
    return this.#limit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  /** Starts the transaction, now or in its turn. If it is admitted when it ends, it calls `leave`. */
  enter(transaction: Admitted, nowMs: number): void {
    if (this.#running < this.#limit && this.waiting === 0) {
      this.#running++;
      transaction.admitted = true;
      transaction.start();
    } else {
      this.#crowded = true;
      this.#waiting.push({ transaction, sinceMs: nowMs });
    }
  }

  leave(): void {
    this.#running--;
    this.#commits++;
    this.#look();
    if (this.#admitting) return;
    // A transaction may end within its start and call this again. Then only the loop continues, and the stack does not grow.
    this.#admitting = true;
    while (this.waiting > 0 && this.#running < this.#limit) this.#admit();
    this.#admitting = false;
  }

  /** The transaction has to run again. Returns false if too many run: then it is started in its turn, before new ones. */
  retry(transaction: Admitted, nowMs: number): boolean {
    this.#retries += transaction.retries > 1 ? 1 : FIRST_RETRY;
    this.#look();
    if (this.#running <= this.#limit) return true;
    this.#running--;
    transaction.admitted = false;
    const first = { transaction, sinceMs: nowMs };
    if (this.#next > 0) this.#waiting[--this.#next] = first;
    else this.#waiting.unshift(first);
    return false;
  }

  /** Called periodically while a transaction waits. */
  sweep(nowMs: number): void {
    while (this.waiting > 0 && nowMs - this.#waiting[this.#next]!.sinceMs >= WAIT_MS_MAX) this.#admit();
  }

  /** Transactions that wait are not started any more. */
  clear(): void {
    this.#waiting = [];
    this.#next = 0;
  }

  #admit(): void {
    const { transaction } = this.#waiting[this.#next++]!;
    if (this.#next * 2 >= this.#waiting.length) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    if (transaction.settled) return; // it was called off while it waited
    this.#running++;
    transaction.admitted = true;
    transaction.start();
  }

  #look(): void {
    if (this.#commits + this.#retries < WINDOW_ATTEMPTS) return;
    if (this.#retries > this.#commits * RETRIES_PER_COMMIT_MAX) {
      this.#limit = Math.max(RUNNING_LEAST, Math.floor(Math.min(this.#limit, this.#running) * DECREASE));
    } else if (this.#crowded) {
      this.#limit = this.#retries === 0 ? Math.ceil(this.#limit * INCREASE) : this.#limit + 1;
    }
    this.#commits = this.#retries = 0;
    this.#crowded = this.waiting > 0;
  }
}
