// Scope: the common limits of transactions that serve one purpose, such as a request (`claret.within`). They share a deadline, and
// can be called off together.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';

/** A transaction that has not ended, or a native. As a class implemented once, since transactions stand above their limits; natives make theirs. */
export interface Scoped {
  callOff(error: ClaretError): void;
}

export class Scope {
  /** on the environment's monotonic clock; no transaction of the scope continues beyond it */
  readonly deadlineMs: number;
  readonly #running = new Set<Scoped>();
  #calledOff = false;
  #changed = false;

  constructor(deadlineMs = Infinity) {
    this.deadlineMs = deadlineMs;
  }

  /** The number of transactions that have not ended. */
  get underWay(): number {
    return this.#running.size;
  }

  get calledOff(): boolean {
    return this.#calledOff;
  }

  /** One of its transactions has changed something, or may have. */
  get changed(): boolean {
    return this.#changed;
  }

  /**
   * The results are no longer wanted. Transactions that cannot have been decided yet end with `called_off` and without effects. The
   * others end by themselves. No transaction of the scope begins any more.
   */
  callOff(): void {
    if (this.#calledOff) return;
    this.#calledOff = true;
    for (const transaction of [...this.#running]) transaction.callOff(calledOffError());
  }

  enter(transaction: Scoped): void {
    this.#running.add(transaction);
  }

  /** @param changes the transaction has changed something, or may have */
  leave(transaction: Scoped, changes: boolean): void {
    this.#running.delete(transaction);
    this.#changed ||= changes;
  }
}

export function calledOffError(): ClaretError {
  return new ClaretError({ code: codes.calledOff, message: 'The transaction was called off: its result is no longer wanted' });
}
