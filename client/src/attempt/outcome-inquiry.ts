// OutcomeInquiry: asks one shard for the outcome of an attempt whose answer was lost, until the shard knows it or the time is over.

import type { Delays } from '../environment/delays.ts';
import type { ClaretError } from '../errors/claret-error.ts';
import type { InquiryState } from '../wire/server-frame.ts';
import type { Wide } from '../wire/wide.ts';
import type { Branch } from './branch.ts';
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

export class OutcomeInquiry {
  readonly #commit: DoubtfulCommit;
  readonly #branch: Branch;
  readonly #delays: Delays;
  readonly #error: ClaretError;
  #delayUs = ASK_AGAIN_FIRST_US;

  /** @param error why the attempt fails if it left no trace */
  constructor(commit: DoubtfulCommit, branch: Branch, delays: Delays, error: ClaretError) {
    this.#commit = commit;
    this.#branch = branch;
    this.#delays = delays;
    this.#error = error;
  }

  readonly ask = (): void => {
    if (!this.#isOver) this.#branch.session.inquire(this.#commit.id, (state, at) => this.#onAnswer(state, at));
  };

  get #isOver(): boolean {
    return !this.#commit.undecided || this.#branch.voted;
  }

  #onAnswer(state: InquiryState, at: Wide): void {
    if (this.#isOver) return;
    const commit = this.#commit;
    const branch = this.#branch;
    if (commit.tooLateToAsk) return commit.giveUpAsking();
    if (state === 'aborted') {
      // A shard that has restarted may have forgotten a commit, unless everything was synced.
      if (branch.restarted && commit.durability !== 'sync') {
        return commit.giveUpAsking(`the shard has restarted, with durability ${commit.durability}`);
      }
      branch.ended = true;
      return commit.fail(this.#error);
    }
    if (state === 'pending' || (state === 'voted' && commit.alone)) {
      this.#delays.after(this.#delayUs, this.ask);
      this.#delayUs = Math.min(ASK_AGAIN_LONGEST_US, this.#delayUs * 2);
      return;
    }
    if (branch.lostResults()) commit.resultsLost();
    // The answer does not say how long a vote holds that is not logged.
    branch.vote(at, commit.observesOnly && state === 'voted' ? at : HOLDS);
  }
}
