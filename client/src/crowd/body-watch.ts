// BodyWatch: finds out whether a body awaits nothing but its operations. It does not if a turn of the event loop passes in which the
// body is pending while none of its operations is.

import type { Operation } from '../operation/operation.ts';
import type { Turns } from './turns.ts';

export class BodyWatch {
  straight = true;
  readonly #turns: Turns;
  #pending = 0;
  #idleSince: number;

  constructor(turns: Turns) {
    this.#turns = turns;
    this.#idleSince = turns.mark();
  }

  /** The body awaits the operation. REQUIRES: it has asked for its result, and the operation is pending. */
  awaits(operation: Operation<unknown>): void {
    this.began();
    const ended = () => this.ended();
    void operation.then(ended, ended);
  }

  /** An operation of the body is pending from now on. */
  began(): void {
    this.#look();
    this.#pending++;
  }

  /** It is settled. */
  ended(): void {
    if (--this.#pending === 0) this.#idleSince = this.#turns.mark();
  }

  /** The body has ended. Returns whether it was straight. */
  end(): boolean {
    this.#look();
    return this.straight;
  }

  #look(): void {
    if (this.#pending === 0 && this.#turns.passedSince(this.#idleSince)) this.straight = false;
  }
}
