// Inquiries: what became of an attempt? Asked of one shard when an answer was lost with the session; kept over sessions
// until it is answered.

import type { Attempt } from './attempt.ts';
import type { Client } from './client.ts';
import type { Session } from './session.ts';
import type { Wide } from './wire/client-frame.ts';
import type { InquiryState } from './wire/server-frame.ts';

type Answered = (state: InquiryState, at: Wide) => void;

const SETTLE_AGAIN_MS = 200;

export class Inquiries {
  readonly #client: Client;
  readonly #session: Session;
  readonly #asked = new Map<number, { id: Uint8Array; answered: Answered }>();
  #nextTicket = 1;

  constructor(client: Client, session: Session) {
    this.#client = client;
    this.#session = session;
  }

  ask(id: Uint8Array, answered: Answered): void {
    const ticket = this.#nextTicket++;
    this.#asked.set(ticket, { id, answered });
    if (this.#session.live) this.#session.sendInquiry(id, ticket);
  }

  /** Asks until the shard knows how the attempt ended, then tells the attempt that its outcome has arrived there. */
  settle(attempt: Attempt): void {
    this.ask(attempt.id, (state) => {
      if (state === 'committed' || state === 'aborted') attempt.outcomeDelivered();
      else this.#client.environment.setTimeout(() => this.settle(attempt), SETTLE_AGAIN_MS);
    });
  }

  onAnswer(ticket: number, state: InquiryState, at: Wide): void {
    const inquiry = this.#asked.get(ticket);
    if (inquiry === undefined) return;
    this.#asked.delete(ticket);
    inquiry.answered(state, at);
  }

  onLive(): void {
    for (const [ticket, { id }] of this.#asked) this.#session.sendInquiry(id, ticket);
  }
}
