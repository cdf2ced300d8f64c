// SimulatedNode: one process with its own clocks. Its code accesses time, turns, timers and random numbers through the client's
// Environment. A stalled node's events are queued and run in order when the stall is over; a dead node's never run.
import type { Environment, Timer } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { EventOwner, World, WorldEvent } from './world.ts';

export const EPOCH_MS = 1_700_000_000_000;
/** Two readings of the monotonic clock differ, as on a machine: so a process's calls are in order. */
const READING_MS = 2e-6;
/** Duration of a turn of the event loop, so that time passes even without waits. */
const TURN_MS = 0.02;

export class SimulatedNode implements Environment, EventOwner {
  readonly name: string;
  alive = true;
  /** how far the wall clock is ahead */
  skewMs = 0;
  stalledUntilMs = 0;
  readonly #world: World;
  readonly #chance: Chance;
  /** milliseconds on its clocks per real millisecond */
  readonly #rate: number;
  readonly #startMs: number;
  readonly #number: number;
  #putOff = 0;
  #readMs = -Infinity;

  constructor(world: World, name: string, chance: Chance) {
    this.#world = world;
    this.name = name;
    this.#chance = chance;
    this.#number = ++world.nodes;
    this.#rate = 1 + chance.between(-1e-4, 1e-4);
    this.#startMs = chance.below(1e9) - world.nowMs * this.#rate;
  }

  wallMs(): number {
    return EPOCH_MS + this.#world.nowMs + this.skewMs;
  }

  civilMs(): number {
    return this.wallMs();
  }

  monotonicMs(): number {
    this.#readMs = Math.max(this.#startMs + this.#world.nowMs * this.#rate, this.#readMs + READING_MS);
    return this.#readMs;
  }

  /** The simulated time of a reading of the monotonic clock. */
  simulatedMs(monotonicMs: number): number {
    return (monotonicMs - this.#startMs) / this.#rate;
  }

  setImmediate(callback: () => void): void {
    this.#world.after(TURN_MS, callback, this);
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    return this.#world.after(Math.max(TURN_MS, delayMs / this.#rate), callback, this);
  }

  clearTimeout(timer: Timer): void {
    if (timer != null) (timer as WorldEvent).run = null;
  }

  /**
   * Every 16 bytes end with the node's number, so that no two nodes draw one id. The generator's 32 bits of state do not ensure that: two of
   * its streams may overlap, and hundreds of runs draw millions of ids.
   */
  randomBytes(count: number): Uint8Array {
    const bytes = Uint8Array.from({ length: count }, () => this.#chance.below(256));
    const view = new DataView(bytes.buffer);
    for (let end = 16; end <= count; end += 16) view.setUint32(end - 4, this.#number);
    return bytes;
  }

  random(): number {
    return this.#chance.next();
  }

  stall(forMs: number): void {
    this.stalledUntilMs = Math.max(this.stalledUntilMs, this.#world.nowMs + forMs);
  }

  get isStalled(): boolean {
    return this.#world.nowMs < this.stalledUntilMs;
  }

  mayRun(event: WorldEvent): boolean {
    if (!this.alive) return false;
    if (!this.isStalled) return true;
    this.#world.putOff(event, this.stalledUntilMs, ++this.#putOff);
    return false;
  }
}
