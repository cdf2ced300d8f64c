// NodeEnvironment: the environment of one process among several that share a simulated world. It has its own steady clock, whose rate is a
// little wrong, and it may be frozen: what is due meanwhile runs when it thaws, in order.

import type { Environment, Timer } from '../environment/environment.ts';

interface Due {
  cancelled: boolean;
}

export class NodeEnvironment implements Environment {
  readonly #world: Environment;
  readonly #rate: number;
  readonly #aheadMs: number;
  #frozenUntilMs = -Infinity;
  #held: (() => void)[] = [];

  /** @param rate milliseconds on its clock in one of the world */
  constructor(world: Environment, rate: number, aheadMs: number) {
    this.#world = world;
    this.#rate = rate;
    this.#aheadMs = aheadMs;
  }

  get #frozen(): boolean {
    return this.#world.monotonicMs() < this.#frozenUntilMs || this.#held.length > 0;
  }

  freeze(forMs: number): void {
    this.#frozenUntilMs = this.#world.monotonicMs() + forMs;
    this.#world.setTimeout(() => this.#thaw(), forMs);
  }

  #thaw(): void {
    if (this.#world.monotonicMs() < this.#frozenUntilMs) return;
    for (let run = this.#held.shift(); run !== undefined; run = this.#held.shift()) run();
  }

  /** Runs here, at once or when it thaws. */
  run(callback: () => void): void {
    if (this.#frozen) this.#held.push(callback);
    else callback();
  }

  wallMs = (): number => this.#world.wallMs() + this.#aheadMs;
  civilMs = (): number => this.wallMs();
  monotonicMs = (): number => 1_000 + this.#aheadMs + this.#world.monotonicMs() * this.#rate;
  setImmediate = (callback: () => void): void => this.#world.setImmediate(() => this.run(callback));
  setTimeout = (callback: () => void, delayMs: number): Timer => {
    const due: Due = { cancelled: false };
    const run = () => {
      if (!due.cancelled) callback();
    };
    this.#world.setTimeout(() => this.run(run), delayMs / this.#rate);
    return due;
  };
  clearTimeout = (timer: Timer): void => void ((timer as Due).cancelled = true);
  randomBytes = (count: number): Uint8Array => this.#world.randomBytes(count);
  random = (): number => this.#world.random();
}
