// OutcomeInquiry: asks one shard for the outcome of an attempt whose answer was lost, until the shard knows it or the time is over.

import type { Delays } from '../environment/delays.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { InquiryListener } from '../session/inquiries.ts';
import type { InquiryState } from '../wire/server-frame.ts';
import type { Wide } from '../wire/wide.ts';
import { HOLDS } from './votes.ts';

const ASK_AGAIN_FIRST_US = 1_000;
const ASK_AGAIN_LONGEST_US = 100_000;

/** The commit that is in doubt. */
export interface DoubtfulCommit {
  /** the attempt's id */
  readonly id: Uint8Array;
  readonly undecided: boolean;
  readonly observesOnly: boolean;
  readonly tooLateToAsk: boolean;
  /** no other shard takes part */
  readonly alone: boolean;
  /** the durability of the cluster */
  readonly durability: string;
  giveUpAsking(why?: string): void;
  /** The attempt left no trace. */
  fail(error: ClaretError): void;
  /** The shard committed operations whose results are lost. */
  resultsLost(): void;
}

/** The part of the attempt at the shard that is asked. */
export interface DoubtfulPart {
  readonly session: { inquire(id: Uint8Array, answered: InquiryListener): void };
  /** The outcome is known by other means. */
  readonly voted: boolean;
  /** The shard has restarted since the part was sent. */
  readonly restarted: boolean;
  ended: boolean;
  /** Operations were committed whose results are lost. */
  lostResults(): boolean;
  /** The shard has voted yes, or, as the only one, committed. */
  vote(at: Wide, holdsUntil: Wide): void;
}

export class OutcomeInquiry {
  readonly #commit: DoubtfulCommit;
  readonly #part: DoubtfulPart;
  readonly #delays: Delays;
  readonly #error: ClaretError;
  #delayUs = ASK_AGAIN_FIRST_US;

  /** @param error why the attempt fails if it left no trace */
  constructor(commit: DoubtfulCommit, part: DoubtfulPart, delays: Delays, error: ClaretError) {
    this.#commit = commit;
    this.#part = part;
    this.#delays = delays;
    this.#error = error;
  }

  readonly ask = (): void => {
    if (!this.#isOver) this.#part.session.inquire(this.#commit.id, (state, at) => this.#onAnswer(state, at));
  };

  get #isOver(): boolean {
    return !this.#commit.undecided || this.#part.voted;
  }

  #onAnswer(state: InquiryState, at: Wide): void {
    if (this.#isOver) return;
    const commit = this.#commit;
    const part = this.#part;
    if (commit.tooLateToAsk) return commit.giveUpAsking();
    if (state === 'aborted') {
      // A shard that has restarted may have forgotten a commit, unless everything was synced.
      if (part.restarted && commit.durability !== 'sync') {
        return commit.giveUpAsking(`the shard has restarted, with durability ${commit.durability}`);
      }
      part.ended = true;
      return commit.fail(this.#error);
    }
    if (state === 'pending' || (state === 'voted' && commit.alone)) {
      this.#delays.after(this.#delayUs, this.ask);
      this.#delayUs = Math.min(ASK_AGAIN_LONGEST_US, this.#delayUs * 2);
      return;
    }
    if (part.lostResults()) commit.resultsLost();
    // The answer does not say how long a vote holds that is not logged.
    part.vote(at, commit.observesOnly && state === 'voted' ? at : HOLDS);
  }
}
