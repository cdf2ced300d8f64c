// ListWay: whether one list goes by epochs or takes locks, attempt by attempt. It begins as EpochChoice says.
//
// Many long lists that take locks hold each other up, and keep the others out of epochs. So a list that meets a lock goes on by epochs, and of those
// that no epoch has taken only one at a time takes locks.

import type { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { metLock } from '../errors/met-lock.ts';

/** The client's choice (EpochChoice), as a list sees it. */
export interface Choice {
  nowMs(): number;
  /** A list has committed, or has given this way up, `durationMs` after it began to go it. */
  took(label: string, byEpoch: boolean, durationMs: number): void;
  /** No epoch has taken the list. True if it may take locks. */
  letsOneTakeLocks(list: ListWay): boolean;
  /** The list has met a lock. True if it goes on by epochs. */
  prefersEpochs(list: ListWay): boolean;
  ended(list: ListWay): void;
}

export class ListWay {
  readonly #choice: Choice;
  readonly #label: string;
  /** the other way is open to it */
  readonly #mayChange: boolean;
  #byEpoch: boolean;
  #sinceMs: number;

  constructor(choice: Choice, label: string, byEpoch: boolean, mayChange: boolean) {
    this.#choice = choice;
    this.#label = label;
    this.#byEpoch = byEpoch;
    this.#mayChange = mayChange;
    this.#sinceMs = choice.nowMs();
  }

  get byEpoch(): boolean {
    return this.#byEpoch;
  }

  /** An attempt has failed; the next one may go the other way. */
  failed(error: ClaretError): void {
    if (this.#byEpoch) {
      if (error.code === codes.conditionChanged || this.#choice.letsOneTakeLocks(this)) this.#change(false);
    } else if (this.#mayChange && metLock(error) && this.#choice.prefersEpochs(this)) {
      this.#choice.took(this.#label, false, this.#choice.nowMs() - this.#sinceMs);
      this.#change(true);
    }
  }

  committed(): void {
    this.#choice.took(this.#label, this.#byEpoch, this.#choice.nowMs() - this.#sinceMs);
  }

  /** The list has ended, whichever way. */
  ended(): void {
    this.#choice.ended(this);
  }

  #change(byEpoch: boolean): void {
    this.#byEpoch = byEpoch;
    this.#sinceMs = this.#choice.nowMs();
  }
}
