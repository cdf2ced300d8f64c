// SeededEnvironment: an environment whose time, turns and random numbers come from a seed. It runs the client, and shards with it, the
// same way every time.

import { setImmediate as realTurn } from 'node:timers/promises';
import type { Environment, Timer } from '../environment/environment.ts';
import { randomFrom } from './random.ts';

interface Event {
  atMs: number;
  order: number;
  run: () => void;
}

const START_WALL_MS = 1_700_000_000_000;
/** The length of a turn of the event loop. So time passes even if nothing waits for a timer. */
const TURN_MS = 0.05;

export class SeededEnvironment implements Environment {
  #nowMs = 0;
  #order = 0;
  #turn: (() => void)[] = [];
  /** the last step left nothing to do in the next turn */
  #idle = false;
  readonly #timers = new Set<Event>();
  readonly #chance: ReturnType<typeof randomFrom>;

  constructor(seed: number) {
    this.#chance = randomFrom(seed);
  }

  wallMs(): number {
    return START_WALL_MS + this.#nowMs;
  }

  civilMs(): number {
    return this.wallMs();
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

  /** Lets time pass while nothing runs, as if the event loop were blocked. */
  standStill(forMs: number): void {
    this.#nowMs += forMs;
  }

  /** Runs turns and timers until `promise` has settled. */
  async runUntil<Result>(promise: Promise<Result>): Promise<Result> {
    let settled = false;
    const done = () => void (settled = true);
    promise.then(done, done);
    await realTurn();
    while (!settled) {
      this.#step();
      // The reactions to all promises that the step has settled run now.
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
    // Time jumps ahead only if nothing is left to do, since reactions to the last turn run first.
    if (next.atMs > this.#nowMs) {
      if (!this.#idle) return void (this.#idle = this.#turn.length === 0);
      this.#nowMs = next.atMs;
    }
    this.#idle = false;
    this.#timers.delete(next);
    next.run();
  }
}
