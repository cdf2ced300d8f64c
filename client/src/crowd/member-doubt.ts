// MemberDoubt: asks the shard for the outcome of a member that may have committed, and whose answer was lost or is late.

import { OUTCOME_GRACE_MS } from '../attempt/atomic-commit.ts';
import { OutcomeInquiry, type DoubtfulCommit, type DoubtfulPart } from '../attempt/outcome-inquiry.ts';
import type { Deadline } from '../environment/deadline.ts';
import type { Delays } from '../environment/delays.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { Session } from '../session/session.ts';
import type { Wide } from '../wire/wide.ts';

/** The attempt that was sent as the member. Implemented once, since an attempt makes its doubt. */
export interface DoubtfulAttempt {
  readonly id: Uint8Array;
  readonly deadline: Deadline;
  /** it has neither committed nor failed */
  readonly undecided: boolean;
  /** Results are missing that only its answer would have brought. */
  readonly wantsResults: boolean;
  /** It has committed. */
  foundCommitted(at: Wide): void;
  /** It has committed, but its results are lost. */
  foundWithoutResults(at: Wide): void;
  foundAborted(error: ClaretError): void;
  giveUpAsking(why?: string): void;
}

export class MemberDoubt implements DoubtfulCommit, DoubtfulPart {
  readonly session: Session;
  readonly observesOnly = false;
  readonly alone = true;
  ended = false;
  voted = false;
  readonly #attempt: DoubtfulAttempt;
  /** the shard's starts as the member was sent */
  readonly #starts: number;
  readonly #context: { readonly delays: Delays; readonly durability: string };
  #resultsLost = false;

  constructor(attempt: DoubtfulAttempt, session: Session, starts: number, context: { delays: Delays; durability: string }) {
    this.#attempt = attempt;
    this.session = session;
    this.#starts = starts;
    this.#context = context;
  }

  /** @param error why the attempt fails if it left no trace */
  ask(error: ClaretError): void {
    new OutcomeInquiry(this, this, this.#context.delays, error).ask();
  }

  get id(): Uint8Array {
    return this.#attempt.id;
  }

  get undecided(): boolean {
    return this.#attempt.undecided;
  }

  get durability(): string {
    return this.#context.durability;
  }

  get tooLateToAsk(): boolean {
    return this.#attempt.deadline.isPast(OUTCOME_GRACE_MS);
  }

  get restarted(): boolean {
    return this.session.starts !== this.#starts;
  }

  lostResults(): boolean {
    return this.#attempt.wantsResults;
  }

  resultsLost(): void {
    this.#resultsLost = true;
  }

  vote(at: Wide): void {
    this.voted = true;
    const committedAt = { high: at.high, low: at.low };
    if (this.#resultsLost) this.#attempt.foundWithoutResults(committedAt);
    else this.#attempt.foundCommitted(committedAt);
  }

  fail(error: ClaretError): void {
    this.#attempt.foundAborted(error);
  }

  giveUpAsking(why?: string): void {
    this.#attempt.giveUpAsking(why);
  }
}
