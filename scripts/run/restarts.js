// Whether and when a process that has died is started again: after a pause that doubles with each of its deaths within a minute. One that
// refuses to run, or does not stay up, is given up: it would only repeat its failure.

/** The exit code of a program that needs an operator's help before it can run (gateway/src/exit-code.ts, apps/site/serve.ts). */
const REFUSED = 2;

/**
 * The limits, as docs/running.md has them. `deathsMax`: with so many deaths within `withinMs` a process is given up.
 * @typedef {{firstMs: number, longestMs: number, deathsMax: number, withinMs: number}} RestartLimits
 * @type {RestartLimits}
 */
export const RESTART_LIMITS = { firstMs: 200, longestMs: 5_000, deathsMax: 8, withinMs: 60_000 };

/**
 * What follows a death. `givenUp`: refused: it exited with the code for that; unsteady: it died too often.
 * @typedef {{againInMs: number, givenUp: null} | {againInMs: null, givenUp: 'refused' | 'unsteady'}} Verdict
 */

/** The deaths of one process. */
export class Restarts {
  #limits;
  /** @type {number[]} */
  #deathsMs = [];

  /** @param {Partial<RestartLimits>} [limits] */
  constructor(limits) {
    this.#limits = { ...RESTART_LIMITS, ...limits };
  }

  /** @param {{code: number | null}} end @param {number} nowMs on a steady clock @returns {Verdict} */
  after({ code }, nowMs) {
    if (code === REFUSED) return { againInMs: null, givenUp: 'refused' };
    const { firstMs, longestMs, deathsMax, withinMs } = this.#limits;
    this.#deathsMs = [...this.#deathsMs.filter((atMs) => nowMs - atMs < withinMs), nowMs];
    if (this.#deathsMs.length >= deathsMax) return { againInMs: null, givenUp: 'unsteady' };
    return { againInMs: Math.min(longestMs, firstMs * 2 ** (this.#deathsMs.length - 1)), givenUp: null };
  }
}
