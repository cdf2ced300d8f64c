// ShardTime: the time of one shard, as its commits have it, from the timestamps that its messages name. This machine's wall clock has no part.
//
// A message takes time, so what it names lies behind the shard's time by at least that. The greatest lead over the steady clock is of the
// quickest message. So the estimate is behind the shard by the time of one quick message, and ahead of it only if the shard's clock is set back.

import type { Wide } from '../wire/wide.ts';

/** The rates of a shard's clock and of the steady clock here differ by less than this. */
const RATES_DIFFER = 0.001;
/** A timestamp counts quarters of microseconds since 1970, above the eight bits that name a shard. */
const PER_MS = 4_000 * 2 ** 8;
const HIGH_MS = 2 ** 32 / PER_MS;

export class ShardTime {
  /** the shard's time less the steady clock; -Infinity: it has told none */
  #aheadMs = -Infinity;
  /** when the message came that says so */
  #atMs = 0;
  #lastMs = 0;

  get known(): boolean {
    return this.#aheadMs !== -Infinity;
  }

  /** A session begins: another machine, with another clock, may have the shard now. */
  begin(time: Wide, nowMs: number): void {
    if (time.high === 0) return;
    this.#aheadMs = -Infinity;
    this.#lastMs = 0;
    this.told(time, nowMs);
  }

  /** A message that was read at `nowMs` names this timestamp, which the shard has reached. High 0: it names none. */
  told(time: Wide, nowMs: number): void {
    if (time.high === 0) return;
    const aheadMs = time.high * HIGH_MS + time.low / PER_MS - nowMs;
    if (aheadMs < this.#aheadMs - RATES_DIFFER * (nowMs - this.#atMs)) return;
    this.#aheadMs = aheadMs;
    this.#atMs = nowMs;
  }

  /** Whole milliseconds since 1970, never less than before in the same session. REQUIRES: `known`. */
  at(nowMs: number): number {
    return (this.#lastMs = Math.max(this.#lastMs, Math.floor(nowMs + this.#aheadMs)));
  }
}
