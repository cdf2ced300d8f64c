// Turns: counts turns of the event loop, for as long as somebody wants to know whether one has passed. It costs a turn one callback.
//
// What a turn has caused may still run when the next one is counted, so a turn has certainly passed only when two were counted.

import type { Environment } from '../environment/environment.ts';

const TURNS = 2;

export class Turns {
  readonly #environment: Environment;
  #turn = 0;
  #scheduled = false;
  /** turns to count from now on */
  #left = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The present turn. */
  mark(): number {
    this.#left = TURNS;
    this.#schedule();
    return this.#turn;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#environment.setImmediate(this.#onTurn);
  }

  /** A turn has passed since `mark` returned this. */
  passedSince(mark: number): boolean {
    return this.#turn - mark >= TURNS;
  }

  readonly #onTurn = (): void => {
    this.#scheduled = false;
    this.#turn++;
    if (--this.#left > 0) this.#schedule();
  };
}
