// Inflow: the frames from one shard. It handles one frame in each turn of the event loop.
//
// The requests that a frame causes leave before the next frame is read, so the shard works on them meanwhile. If all frames were
// read at once, the requests would leave in a single frame and be answered in a single frame. Then client and shard would take turns,
// and one of them would always be idle.

import type { Environment } from '../environment/environment.ts';

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

  // The requests that the frame caused leave at the end of this turn, after this call. So the next frame waits one turn more.
  readonly #onTurnEnd = (): void => this.#environment.setImmediate(this.#onTurn);

  readonly #onTurn = (): void => {
    this.#turning = false;
    const frame = this.#waiting.shift();
    if (frame !== undefined) this.arrive(frame);
  };
}
