// The search for the highest rate that a site holds: rates grow by steps of a ladder, first in long strides until one is not held, then between the
// highest that was held and the lowest that was not. It neither measures nor knows a clock.

import type { SpanFigures } from './question.ts';

/** Two steps are the factor of 1.25. */
const STEP = Math.sqrt(1.25);
const STRIDE_MOST = 8;
const RATE_LEAST = 1;

/** An action that takes longer makes people wait. */
export const P99_MOST_MS = 250;

/** Whether a site has held the rate: almost all actions in time, and none that failed or did not even begin. */
export function hasHeld({ all, outcomes, abandoned }: Pick<SpanFigures, 'all' | 'outcomes' | 'abandoned'>): boolean {
  const errors = outcomes.shed + outcomes.unknown + outcomes.failed;
  return abandoned === 0 && errors === 0 && all.p99_ms < P99_MOST_MS;
}

export class Ladder {
  readonly #first: number;
  #next: number | null = 0;
  #stride: number;
  /** steps from the first rate */
  #held: number | null = null;
  #failed: number | null = null;

  /** `first`: the rate to begin with; `stride`: in steps, the first one from there. */
  constructor(first: number, stride: number) {
    this.#first = first;
    this.#stride = stride;
  }

  /** The rate to try now; null: the search is over. */
  get next(): number | null {
    return this.#next === null ? null : this.#rateOf(this.#next);
  }

  /** The highest rate that was held; null: none was. */
  get highest(): number | null {
    return this.#held === null ? null : this.#rateOf(this.#held);
  }

  /** REQUIRES: the search is not over. */
  tell(isHeld: boolean): void {
    if (isHeld) this.#held = this.#next;
    else this.#failed = this.#next;
    this.#next = this.#following();
  }

  #following(): number | null {
    if (this.#held !== null && this.#failed !== null) {
      return this.#failed - this.#held === 1 ? null : Math.floor((this.#held + this.#failed) / 2);
    }
    const step = this.#held !== null ? this.#held + this.#stride : this.#failed! - this.#stride;
    this.#stride = Math.min(STRIDE_MOST, 2 * this.#stride);
    return this.#rateOf(step) < RATE_LEAST ? null : step;
  }

  #rateOf(step: number): number {
    return this.#first * STEP ** step;
  }
}
