// A world in which nothing happens by itself: time, turns and chance come from a seed. Runs the client, and shards with
// it, the same way every time.

import { setImmediate as realTurn } from 'node:timers/promises';
import type { Environment, Timer } from './environment.ts';
import { randomFrom } from './testing-random.ts';

interface Event {
  atMs: number;
  order: number;
  run: () => void;
}

const START_WALL_MS = 1_700_000_000_000;
/** A turn of the event loop takes this long, so that time passes even where nobody waits. */
const TURN_MS = 0.05;

export class SeededEnvironment implements Environment {
  #nowMs = 0;
  #order = 0;
  #turn: (() => void)[] = [];
  /** the last step has left nothing to do in a next turn */
  #idle = false;
  readonly #timers = new Set<Event>();
  readonly #chance: ReturnType<typeof randomFrom>;

  constructor(seed: number) {
    this.#chance = randomFrom(seed);
  }

  wallMs(): number {
    return START_WALL_MS + this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  setImmediate(callback: () => void): void {
    this.#turn.push(callback);
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    const event: Event = { atMs: this.#nowMs + delayMs, order: this.#order++, run: callback };
    this.#timers.add(event);
    return event;
  }

  clearTimeout(timer: Timer): void {
    this.#timers.delete(timer as Event);
  }

  randomBytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#chance.below(256));
  }

  random(): number {
    return this.#chance.next();
  }

  /** Time passes, and nothing runs: something holds up the event loop. */
  standStill(forMs: number): void {
    this.#nowMs += forMs;
  }

  /** Lets the world go on until `promise` has settled. */
  async runUntil<Result>(promise: Promise<Result>): Promise<Result> {
    let settled = false;
    const done = () => void (settled = true);
    promise.then(done, done);
    await realTurn();
    while (!settled) {
      this.#step();
      // All promises that the step has settled run to their end.
      await realTurn();
    }
    return promise;
  }

  #step(): void {
    if (this.#turn.length > 0) {
      this.#idle = false;
      this.#nowMs += TURN_MS;
      const turn = this.#turn;
      this.#turn = [];
      for (const callback of turn) callback();
    }
    const [next] = [...this.#timers].sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    if (next === undefined) return;
    // Time passes at once only where nothing is left to do: what the turn has settled may go on first.
    if (next.atMs > this.#nowMs) {
      if (!this.#idle) return void (this.#idle = this.#turn.length === 0);
      this.#nowMs = next.atMs;
    }
    this.#idle = false;
    this.#timers.delete(next);
    next.run();
  }
}
