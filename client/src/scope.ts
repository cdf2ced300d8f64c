// Scope: what bounds transactions that were begun for one purpose, a request say (`claret.within`): a deadline that they share,
// and whoever wanted them may have gone.

import { ClaretError, codes } from './errors.ts';

/** What a scope holds: a transaction that has not ended. */
export interface Scoped {
  callOff(error: ClaretError): void;
}

export class Scope {
  /** on the environment's monotonic clock; no transaction of the scope goes on for longer */
  readonly deadlineMs: number;
  readonly #running = new Set<Scoped>();
  #calledOff = false;
  #changed = false;

  constructor(deadlineMs = Infinity) {
    this.deadlineMs = deadlineMs;
  }

  /** Transactions that have not ended. */
  get underWay(): number {
    return this.#running.size;
  }

  get calledOff(): boolean {
    return this.#calledOff;
  }

  /** A transaction of it has changed something, or may have: whatever becomes of the others, it is not as if nothing had happened. */
  get changed(): boolean {
    return this.#changed;
  }

  /**
   * Nobody wants the results any more. Transactions that cannot have been decided yet end with `called_off`, and nothing of them
   * has happened; the others end by themselves. None begins any more.
   */
  callOff(): void {
    if (this.#calledOff) return;
    this.#calledOff = true;
    for (const transaction of [...this.#running]) transaction.callOff(calledOffError());
  }

  enter(transaction: Scoped): void {
    this.#running.add(transaction);
  }

  /** `changes`: it has changed something, or may have. */
  leave(transaction: Scoped, changes: boolean): void {
    this.#running.delete(transaction);
    this.#changed ||= changes;
  }
}

export function calledOffError(): ClaretError {
  return new ClaretError({ code: codes.calledOff, message: 'Nobody waits for the transaction any more' });
}
