// The shards' wall clocks, as tracked by the run. No timestamp may exceed all clock readings so far: neither a received outcome nor
// a start moves a shard's clock beyond the readings of some wall clock. In half of the runs the shards compare their clocks,
// each by itself, and refuse transactions that span two shards whose clocks are too far apart.
import type { HistoryAttempt } from '@claret/client';
import { EPOCH_MS } from './node.ts';
import type { World } from './world.ts';

/** A machine whose wall clock gives timestamps to a shard. */
export interface Clocked {
  /** the shard's */
  readonly number: number;
  /** how far its wall clock is ahead */
  readonly skewMs: number;
  /** Called before the clock is set. */
  onSetClock: () => void;
  setSkew(skewMs: number): void;
  setSkewed(shards: number[]): void;
}

const COMPARE_EVERY_MS = 500;
const SKEW_MS_MAX = 5_000;
/** A ceiling of the log, above which a start begins, and the amount that a quick start adds to it. */
const AHEAD_MS_MAX = 1_000;
/** With warranties: what violates one that lapses commits above a timestamp that clients were told, so far beyond the term (transaction/warranties.cc). */
const BEYOND_TERM_MS = 3_000;
const TICKS_PER_MS = 4_000n;

export class Clocks {
  readonly #world: World;
  readonly #servers: readonly Clocked[];
  readonly #aheadMsMax: number;
  readonly #blame: (text: string) => void;
  #furthestMs = 0;
  #compares = false;

  /** @param termMs of warranties; 0: there are none */
  constructor(world: World, servers: readonly Clocked[], termMs: number, blame: (text: string) => void) {
    this.#world = world;
    this.#servers = servers;
    this.#aheadMsMax = AHEAD_MS_MAX + (termMs === 0 ? 0 : BEYOND_TERM_MS + 2 * termMs);
    this.#blame = blame;
    for (const server of servers) server.onSetClock = () => void this.#look();
  }

  /** The highest reading of any wall clock so far. */
  #look(): number {
    for (const { skewMs } of this.#servers) this.#furthestMs = Math.max(this.#furthestMs, EPOCH_MS + this.#world.nowMs + skewMs);
    return this.#furthestMs;
  }

  judge({ id, order }: HistoryAttempt): void {
    if (order === undefined) return;
    const aheadMs = Number((BigInt(order) >> 8n) / TICKS_PER_MS) - this.#look();
    if (aheadMs > this.#aheadMsMax) this.#blame(`attempt ${id} has a timestamp ${aheadMs} ms ahead of all wall clocks`);
  }

  /** Each shard compares by itself, as gateways do: for a while one may refuse another that does not refuse it. */
  compare(): void {
    this.#compares = true;
    for (const server of this.#servers) this.#compareAgain(server);
  }

  #compareAgain(server: Clocked): void {
    if (!this.#compares) return;
    this.#compareOnce(server);
    this.#world.after(this.#world.chance.between(0, 2 * COMPARE_EVERY_MS), () => this.#compareAgain(server));
  }

  #compareOnce(server: Clocked): void {
    const apart = this.#servers.filter((other) => Math.abs(other.skewMs - server.skewMs) > SKEW_MS_MAX);
    server.setSkewed(apart.map(({ number }) => number));
  }

  /** Corrects clocks that are compared, so that refusing shards serve again. Other clocks are left as they are. */
  setRight(): void {
    if (!this.#compares) return;
    for (const server of this.#servers) server.setSkew(0);
    for (const server of this.#servers) this.#compareOnce(server);
  }
}
