// Counts, while a spike runs, what was acknowledged to its clients and what is stored.

import type { Claret } from '@claret/client';
import type { Compared, Spike } from './spike.ts';

const COUNTS_EVERY_MS = 500;

export class RunningCount {
  /** null: the spike does not count while it runs, or has not counted yet */
  newest: Compared | null = null;
  readonly #claret: Claret;
  readonly #spike: Spike;
  readonly #timer: NodeJS.Timeout;
  #counting: Promise<void> = Promise.resolve();

  /** `claret`: not the one that the load uses, whose requests may have to wait */
  constructor(claret: Claret, spike: Spike) {
    this.#claret = claret;
    this.#spike = spike;
    this.#timer = setInterval(() => (this.#counting = this.#counting.then(() => this.#count())), COUNTS_EVERY_MS);
  }

  /** Resolves when nothing is counted any more. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#counting;
  }

  async #count(): Promise<void> {
    this.newest = (await this.#spike.count?.(this.#claret)) ?? null;
  }
}
