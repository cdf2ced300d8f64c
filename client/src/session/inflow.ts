// Inflow: the frames from one shard. The requests that a frame causes leave before those that came meanwhile are handled, so the shard works on
// them meanwhile.
//
// Frames that came meanwhile are handled together, and what they cause leaves together. Otherwise a busy client would split its work into ever
// smaller frames, each with its price: handled one by one, 256 interactive clients on the hottest records have a quarter less throughput.

import type { Environment } from '../environment/environment.ts';

/** A turn must end some time. */
const TOGETHER_MAX = 16;

export class Inflow {
  readonly #environment: Environment;
  readonly #take: (frame: Uint8Array) => void;
  #waiting: Uint8Array[] = [];
  #turning = false;

  constructor(environment: Environment, take: (frame: Uint8Array) => void) {
    this.#environment = environment;
    this.#take = take;
  }

  /** Handles the frame at once if no other one waits. */
  arrive(frame: Uint8Array): void {
    if (this.#turning) return void this.#waiting.push(frame);
    this.#turning = true;
    this.#take(frame);
    this.#environment.setImmediate(this.#onTurnEnd);
  }

  /** Handles all waiting frames now, since no more will arrive. */
  drain(): void {
    for (const frame of this.clear()) this.#take(frame);
  }

  clear(): Uint8Array[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  // The requests that the frames caused leave at the end of this turn, after this call. So the next ones wait one turn more.
  readonly #onTurnEnd = (): void => this.#environment.setImmediate(this.#onTurn);

  readonly #onTurn = (): void => {
    this.#turning = false;
    const frames = this.#waiting.splice(0, TOGETHER_MAX);
    if (frames.length === 0) return;
    this.#turning = true;
    for (const frame of frames) this.#take(frame);
    this.#environment.setImmediate(this.#onTurnEnd);
  };
}
