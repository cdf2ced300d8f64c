// GoingOver: holds members back while their client goes over from locks to chains. Members beside locked attempts on the same records are the
// worst of both: each keeps the other from going on, and among several clients it may stay like that. So members wait until the client's own
// attempts with locks have ended once, though no longer than it goes over.

import type { Delays } from '../environment/delays.ts';
import type { Member } from './member.ts';

const LOOK_AGAIN_US = 2_000;

export interface GoingOverDependencies {
  readonly delays: Delays;
  /** When the client began to send members, if that was a moment ago; null: it was not. */
  goesOverSinceMs(): number | null;
  /** It has attempts with locks under way. */
  holdsLocks(): boolean;
}

export class GoingOver {
  readonly #dependencies: GoingOverDependencies;
  readonly #send: (member: Member) => void;
  #held: Member[] = [];
  /** the last time of going over in which the locks have ended */
  #endedSinceMs: number | null = null;

  constructor(dependencies: GoingOverDependencies, send: (member: Member) => void) {
    this.#dependencies = dependencies;
    this.#send = send;
  }

  /** Sends the member, now or once it may leave. */
  send(member: Member): void {
    if (this.#held.length === 0 && !this.#waits) return this.#send(member);
    this.#held.push(member);
    if (this.#held.length === 1) this.#lookAgain();
  }

  get #waits(): boolean {
    const sinceMs = this.#dependencies.goesOverSinceMs();
    if (sinceMs === null || sinceMs === this.#endedSinceMs) return false;
    if (this.#dependencies.holdsLocks()) return true;
    this.#endedSinceMs = sinceMs;
    return false;
  }

  #lookAgain(): void {
    this.#dependencies.delays.after(LOOK_AGAIN_US, () => {
      if (this.#waits) return this.#lookAgain();
      const held = this.#held;
      this.#held = [];
      for (const member of held) this.#send(member);
    });
  }
}
