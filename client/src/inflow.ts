// Inflow: the frames from one shard, taken in one a turn of the event loop.
//
// What a frame's answers set going leaves before the next frame is looked at, so that the shard works on it meanwhile. Taken
// in together, the frames would leave as one, come back as one, and from then on client and shard would take turns, one
// idle while the other works.

import type { Environment } from './environment.ts';

export class Inflow {
  readonly #environment: Environment;
  readonly #take: (frame: Uint8Array) => void;
  #waiting: Uint8Array[] = [];
  #turning = false;

  constructor(environment: Environment, take: (frame: Uint8Array) => void) {
    this.#environment = environment;
    this.#take = take;
  }

  /** A frame that finds nobody waiting is taken at once. */
  arrive(frame: Uint8Array): void {
    if (this.#turning) return void this.#waiting.push(frame);
    this.#turning = true;
    this.#take(frame);
    this.#environment.setImmediate(this.#onTurnEnd);
  }

  /** No more will come: what waits is taken now. */
  drain(): void {
    for (const frame of this.clear()) this.#take(frame);
  }

  clear(): Uint8Array[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  // What was set going leaves at the end of this turn, behind this call: the next frame is taken in the turn after.
  readonly #onTurnEnd = (): void => this.#environment.setImmediate(this.#onTurn);

  readonly #onTurn = (): void => {
    this.#turning = false;
    const frame = this.#waiting.shift();
    if (frame !== undefined) this.arrive(frame);
  };
}
