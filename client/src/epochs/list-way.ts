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
  /** A list that began that way has committed, `durationMs` after it began. */
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
  readonly #beganByEpoch: boolean;
  readonly #begunMs: number;
  #byEpoch: boolean;

  constructor(choice: Choice, label: string, byEpoch: boolean, mayChange: boolean) {
    this.#choice = choice;
    this.#label = label;
    this.#beganByEpoch = this.#byEpoch = byEpoch;
    this.#begunMs = choice.nowMs();
    this.#mayChange = mayChange;
  }

  get byEpoch(): boolean {
    return this.#byEpoch;
  }

  /** An attempt has failed; the next one may go the other way. */
  failed(error: ClaretError): void {
    if (!this.#byEpoch) {
      if (this.#mayChange && metLock(error) && this.#choice.prefersEpochs(this)) this.#byEpoch = true;
    } else if (error.code === codes.conditionChanged || (error.code === codes.epochMissed && this.#choice.letsOneTakeLocks(this))) {
      this.#byEpoch = false;
    }
  }

  /** What it has lost by going on the other way counts against the way that it began with. */
  committed(): void {
    this.#choice.took(this.#label, this.#beganByEpoch, this.#choice.nowMs() - this.#begunMs);
  }

  /** The list has ended, whichever way. */
  ended(): void {
    this.#choice.ended(this);
  }
}
