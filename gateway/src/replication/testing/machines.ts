// Machines in virtual time: each has a steady clock of its own speed, and may be frozen, as a process is by SIGSTOP: its clock goes on, and
// what is due meanwhile happens when it thaws. Deterministic for a seed.
import type { Environment } from '@claret/client';
import type { Random } from '@claret/client/testing';

interface Event {
  atMs: number;
  order: number;
  run: () => void;
  isCancelled: boolean;
}

export class World {
  readonly random: Random;
  nowMs = 0;
  /** called after each event */
  onEvent: () => void = () => {};
  #events: Event[] = [];
  #order = 0;

  constructor(random: Random) {
    this.random = random;
  }

  after(delayMs: number, run: () => void): Event {
    return this.at(this.nowMs + delayMs, run);
  }

  at(atMs: number, run: () => void): Event {
    const event = { atMs: Math.max(atMs, this.nowMs), order: ++this.#order, run, isCancelled: false };
    this.#events.push(event);
    return event;
  }

  async runUntil(endMs: number): Promise<void> {
    for (;;) {
      const next = this.#takeNext(endMs);
      if (next === undefined) break;
      this.nowMs = next.atMs;
      next.run();
      await new Promise((resolve) => setImmediate(resolve)); // promises that it has settled
      this.onEvent();
    }
    this.nowMs = endMs;
  }

  #takeNext(endMs: number): Event | undefined {
    this.#events = this.#events.filter(({ isCancelled }) => !isCancelled);
    let next: Event | undefined;
    for (const event of this.#events)
      if (event.atMs <= endMs && (next === undefined || event.atMs < next.atMs || (event.atMs === next.atMs && event.order < next.order)))
        next = event;
    if (next !== undefined) next.isCancelled = true;
    return next;
  }
}

export class Machine {
  readonly environment: Environment;
  readonly #world: World;
  #isFrozen = false;
  #isDead = false;
  /** what was due while it was frozen, in order */
  #held: (() => void)[] = [];

  /** `speed`: of its steady clock */
  constructor(world: World, speed: number) {
    this.#world = world;
    this.environment = {
      wallMs: () => 1_700_000_000_000 + world.nowMs * speed,
      civilMs: () => 1_700_000_000_000 + world.nowMs * speed,
      monotonicMs: () => 1_000 + world.nowMs * speed,
      setImmediate: (callback) => void this.after(0, callback),
      setTimeout: (callback, delayMs) => this.after(delayMs / speed, callback),
      clearTimeout: (timer) => void (timer !== undefined && ((timer as Event).isCancelled = true)),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => world.random.below(256)),
      random: world.random.next,
    };
  }

  get isRunning(): boolean {
    return !this.#isFrozen && !this.#isDead;
  }

  /** Runs here after so much of the world's time, or when it thaws. */
  after(delayMs: number, run: () => void): Event {
    return this.#world.after(delayMs, () => {
      if (this.#isFrozen) this.#held.push(run);
      else if (!this.#isDead) run();
    });
  }

  freeze(): void {
    this.#isFrozen = true;
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const run of this.#held.splice(0)) if (!this.#isDead) run();
  }

  /** Nothing happens here any more. */
  die(): void {
    this.#isDead = true;
  }
}
