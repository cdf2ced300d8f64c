// Admission: how many transactions of this process run at once.
//
// On a very hot record a crowd works against itself: the longer the queue at the record, the longer every lock is held,
// until most work is thrown away. So the process limits itself by what it sees: many retries for a commit, and fewer may
// run; few, and one more may; none, and a good many more: without contention the limit is soon out of sight.

/** Retries for each commit above which fewer may run. */
const RETRIES_PER_COMMIT_MAX = 0.06;
/**
 * What a first retry counts: with it a transaction asks at once for all that it has learnt to need, and mostly gets it.
 * Where many both read and change the hottest record, each must retry once, however few they are.
 */
const FIRST_RETRY = 0.25;
const DECREASE = 0.75;
/** In a window without any retry; otherwise one more. */
const INCREASE = 1.25;
const RUNNING_LEAST = 4;
const RUNNING_FIRST = 256;
/** Ended attempts between two looks. */
const WINDOW_ATTEMPTS = 64;
/**
 * Nobody waits longer: a transaction may be run within another's body, or a body may wait for something slow; then those
 * that run would wait for those that may not.
 */
const WAIT_MS_MAX = 250;

export interface Admitted {
  /** attempts that have ended */
  readonly retries: number;
  /** it has ended: what was to be started is not any more */
  readonly settled: boolean;
  /** it counts among those that run; the admission says so */
  admitted: boolean;
  start(): void;
}

export class Admission {
  #limit = RUNNING_FIRST;
  #running = 0;
  /** those that wait stand from `#next` on: a list that is long is not moved for each that leaves it */
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

  /** Starts the transaction, now or in its turn. Each that is admitted when it ends leaves. */
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
    // One that ends within its start leaves from here: the loop goes on, the stack does not grow.
    this.#admitting = true;
    while (this.waiting > 0 && this.#running < this.#limit) this.#admit();
    this.#admitting = false;
  }

  /** The transaction has to run again. False: there are too many; it is started in its turn, before those that are new. */
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

  /** Called now and then while anybody waits. */
  sweep(nowMs: number): void {
    while (this.waiting > 0 && nowMs - this.#waiting[this.#next]!.sinceMs >= WAIT_MS_MAX) this.#admit();
  }

  /** Those that wait are not started any more. */
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
    if (transaction.settled) return; // called off while it waited
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
