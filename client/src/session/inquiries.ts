// Inquiries: questions to one shard about the outcome of attempts whose answer was lost with the session. A question survives the
// session and is repeated in the next one until it is answered.

import type { Environment } from '../environment/environment.ts';
import type { InquiryState } from '../wire/server-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { Outcomes } from './outcomes.ts';
import type { DecidedAttempt } from './outgoing.ts';

export type InquiryListener = (state: InquiryState, at: Wide) => void;

interface Inquiry {
  readonly id: Uint8Array;
  readonly answered: InquiryListener;
}

const SETTLE_AGAIN_MS = 200;

export class Inquiries {
  readonly #environment: Environment;
  readonly #outcomes: Outcomes;
  readonly #asked = new Map<number, Inquiry>();
  #nextTicket = 1;

  constructor(environment: Environment, outcomes: Outcomes) {
    this.#environment = environment;
    this.#outcomes = outcomes;
  }

  ask(id: Uint8Array, answered: InquiryListener): void {
    const ticket = this.#nextTicket++;
    this.#asked.set(ticket, { id, answered });
    this.#outcomes.inquire(id, ticket);
  }

  /** Asks until the shard knows how the attempt ended, then reports to the attempt that its outcome has arrived there. */
  settle(attempt: DecidedAttempt): void {
    this.ask(attempt.id, (state) => {
      if (state === 'committed' || state === 'aborted') attempt.outcomeDelivered();
      else this.#environment.setTimeout(() => this.settle(attempt), SETTLE_AGAIN_MS);
    });
  }

  onAnswer(ticket: number, state: InquiryState, at: Wide): void {
    const inquiry = this.#asked.get(ticket);
    if (inquiry === undefined) return;
    this.#asked.delete(ticket);
    inquiry.answered(state, at);
  }

  /** A new session has begun: all open questions are sent in it. */
  onLive(): void {
    for (const [ticket, { id }] of this.#asked) this.#outcomes.inquire(id, ticket);
  }
}
