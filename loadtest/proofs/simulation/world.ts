// World: simulated time. Everything that happens is an event. Events run in order of time, and at the same time in an order decided
// by the seed; before the next event all promises that were settled have run to completion. No real clock, timer or random number
// is used, so the same seed gives the same run, byte for byte, as the digest shows.
import { createHash } from 'node:crypto';
import type { Chance } from '../../kit/random.ts';

/** The owner of events (SimulatedNode). */
export interface EventOwner {
  /** Called before each event. If the result is false, the owner has postponed the event, or it never runs. */
  mayRun(event: WorldEvent): boolean;
}

export interface WorldEvent {
  atMs: number;
  tie: number;
  /** null: cancelled */
  run: (() => void) | null;
  /** null: the world's own */
  readonly owner: EventOwner | null;
}

/** Number of events run in one turn of the real event loop: Node drains the queue of promises between immediates. */
const STEPS_PER_TURN = 64;

const before = (a: WorldEvent, b: WorldEvent): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.tie < b.tie);

export class World {
  /** the number of nodes made so far */
  nodes = 0;
  nowMs = 0;
  events = 0;
  /** By what share the steady clock of a process is too fast; `drawn`: between -1 and 1. */
  readonly rateError: (process: string, drawn: number) => number;
  readonly chance: Chance;
  /** errors thrown by code that the world ran */
  readonly thrown: unknown[] = [];
  readonly #heap: WorldEvent[] = [];
  readonly #hash = createHash('sha256');

  constructor(chance: Chance, rateError: World['rateError']) {
    this.chance = chance;
    this.rateError = rateError;
  }

  /** Runs `run` after `delayMs`, for `owner` if one is given: not while the owner is stalled, and never once it is dead. */
  after(delayMs: number, run: () => void, owner: EventOwner | null = null): WorldEvent {
    const event = { atMs: this.nowMs + Math.max(0, delayMs), tie: this.chance.next(), run, owner };
    this.#push(event);
    return event;
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** Included in the digest by which two runs of one seed are compared. */
  note(text: string, bytes?: Uint8Array): void {
    this.#hash.update(`${this.nowMs} ${text}\n`);
    if (bytes !== undefined) this.#hash.update(bytes);
  }

  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Lets time advance until `promise` has settled. Rejects when no event is left that could settle it. */
  runUntil<Result>(promise: Promise<Result>): Promise<Result> {
    let settled = false;
    const done = () => void (settled = true);
    promise.then(done, done);
    return new Promise((resolve, reject) => {
      let idle = false;
      const step = () => {
        if (!settled && !idle) idle = !this.#step();
      };
      const turn = () => {
        if (settled) return resolve(promise);
        if (idle) return reject(new Error('nothing is left to happen, and something is still waited for'));
        for (let i = 0; i < STEPS_PER_TURN; i++) setImmediate(step);
        setImmediate(turn);
      };
      turn();
    });
  }

  #step(): boolean {
    let event = this.#pop();
    while (event !== undefined && event.run === null) event = this.#pop();
    if (event === undefined) return false;
    this.nowMs = Math.max(this.nowMs, event.atMs);
    const { owner, run } = event;
    if (owner !== null && !owner.mayRun(event)) return true;
    this.events++;
    try {
      run!();
    } catch (error) {
      this.thrown.push(error);
    }
    return true;
  }

  /** Reschedules the event at `atMs` as the `order`th of the postponed ones. */
  putOff(event: WorldEvent, atMs: number, order: number): void {
    this.#push(Object.assign(event, { atMs, tie: order - 2 ** 32 }));
  }

  // ---- a binary heap, the earliest on top

  #push(event: WorldEvent): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(event, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = event;
  }

  #pop(): WorldEvent | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
      if (!before(heap[child]!, last!)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last!;
    return top;
  }
}
