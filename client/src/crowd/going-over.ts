// GoingOver: holds members back while their client goes over from locks to chains. Members beside locked attempts on the same records are the
// worst of both: each keeps the other from going on, and among several clients it may stay like that. So members wait until the client's own
// attempts with locks have ended, though no longer than it goes over.

import type { Delays } from '../environment/delays.ts';
import type { Member } from './member.ts';

const LOOK_AGAIN_US = 2_000;

export interface GoingOverDependencies {
  readonly delays: Delays;
  /** The client has begun to send members a moment ago. */
  goesOver(): boolean;
  /** It has attempts with locks under way. */
  holdsLocks(): boolean;
}

export class GoingOver {
  readonly #dependencies: GoingOverDependencies;
  readonly #send: (member: Member) => void;
  #held: Member[] = [];

  constructor(dependencies: GoingOverDependencies, send: (member: Member) => void) {
    this.#dependencies = dependencies;
    this.#send = send;
  }

  /** The client has begun to send members a moment ago. */
  get is(): boolean {
    return this.#dependencies.goesOver();
  }

  /** Sends the member, now or once it may leave. */
  send(member: Member): void {
    if (this.#held.length === 0 && !this.#waits) return this.#send(member);
    this.#held.push(member);
    if (this.#held.length === 1) this.#lookAgain();
  }

  get #waits(): boolean {
    return this.is && this.#dependencies.holdsLocks();
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
