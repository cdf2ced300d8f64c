// SimulatedNode: one process with its own clocks. Its code accesses time, turns, timers and random numbers through the client's
// Environment. A stalled node's events are queued and run in order when the stall is over; a dead node's never run. A stall may begin in the
// middle of a turn, at a reading of a clock: what the rest of the turn does is done when the stall is over.
import type { Environment, Timer } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import type { EventOwner, World, WorldEvent } from './world.ts';

export const EPOCH_MS = 1_700_000_000_000;
/** Two readings of the monotonic clock differ, as on a machine: so a process's calls are in order. */
const READING_MS = 2e-6;
/** Duration of a turn of the event loop, so that time passes even without waits. */
const TURN_MS = 0.02;

/** The machine was suspended: its steady clock stood still. */
interface Suspension {
  /** the last reading of the steady clock before it */
  atMs: number;
  ms: number;
}

export class SimulatedNode implements Environment, EventOwner {
  readonly name: string;
  alive = true;
  /** how far the wall clock is ahead */
  skewMs = 0;
  stalledUntilMs = 0;
  /** total time for which it was stalled */
  stalledMs = 0;
  readonly #world: World;
  readonly #chance: Chance;
  /** milliseconds on its clocks per real millisecond */
  readonly #rate: number;
  readonly #startMs: number;
  readonly #number: number;
  #putOff = 0;
  #readMs = -Infinity;
  #suspensions: Suspension[] = [];
  /** the next stall that begins at a reading: so many readings from now; null: none */
  #stallsAt: { readings: number; forMs: number } | null = null;
  /** the end of the last of these */
  #inTurnUntilMs = 0;

  constructor(world: World, name: string, chance: Chance) {
    this.#world = world;
    this.name = name;
    this.#chance = chance;
    this.#number = ++world.nodes;
    // Half of them are as wrong as they can be.
    this.#rate = 1 + world.rateError(name, Math.max(-1, Math.min(1, chance.between(-2, 2))));
    this.#startMs = chance.below(1e9) - world.nowMs * this.#rate;
  }

  /** Simulated time, as its code sees it: after a stall in the middle of a turn, the end of the stall. */
  get nowMs(): number {
    return Math.max(this.#world.nowMs, this.#inTurnUntilMs);
  }

  wallMs(): number {
    const wallMs = EPOCH_MS + this.nowMs + this.skewMs;
    this.#read();
    return wallMs;
  }

  /** Driven by what drives the steady clock, and as wrong. */
  civilMs(): number {
    return this.wallMs() + (this.#rate - 1) * this.nowMs;
  }

  monotonicMs(): number {
    const lostMs = this.#suspensions.reduce((sum, { ms }) => sum + ms, 0);
    const readMs = Math.max(this.#startMs + (this.nowMs - lostMs) * this.#rate, this.#readMs + READING_MS);
    this.#readMs = readMs;
    this.#read();
    return readMs;
  }

  /** A clock was read. */
  #read(): void {
    if (this.#stallsAt === null || --this.#stallsAt.readings > 0) return;
    const { forMs } = this.#stallsAt;
    this.#stallsAt = null;
    this.stall(forMs);
    this.#inTurnUntilMs = this.stalledUntilMs;
  }

  /** The simulated time of a reading of the monotonic clock. */
  simulatedMs(monotonicMs: number): number {
    const lostMs = this.#suspensions.reduce((sum, { atMs, ms }) => (monotonicMs > atMs ? sum + ms : sum), 0);
    return (monotonicMs - this.#startMs) / this.#rate + lostMs;
  }

  setImmediate(callback: () => void): void {
    this.#after(TURN_MS, callback);
  }

  setTimeout(callback: () => void, delayMs: number): Timer {
    return this.#after(Math.max(TURN_MS, delayMs / this.#rate), callback);
  }

  #after(delayMs: number, callback: () => void): WorldEvent {
    return this.#world.after(this.nowMs - this.#world.nowMs + delayMs, callback, this);
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

  /** A key that no other process has. */
  get key(): Uint8Array {
    const key = new Uint8Array(16);
    new DataView(key.buffer).setUint32(0, this.#number);
    return key;
  }

  random(): number {
    return this.#chance.next();
  }

  stall(forMs: number): void {
    this.stalledMs += forMs;
    this.stalledUntilMs = Math.max(this.stalledUntilMs, this.#world.nowMs + forMs);
  }

  /** A stall begins right after the so many-th reading of its clocks from now. REQUIRES: its process talks to others by the network alone. */
  stallAtReading(readings: number, forMs: number): void {
    this.#stallsAt = { readings, forMs };
  }

  /** No stall begins at a reading any more. */
  stallNoMore(): void {
    this.#stallsAt = null;
  }

  /** Its machine is suspended, unless it is stalled: its steady clock stands still, its wall clock does not. */
  suspend(forMs: number): void {
    if (this.isStalled) return;
    this.#suspensions.push({ atMs: this.monotonicMs(), ms: forMs });
    this.stall(forMs);
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
