// ShardClock: a lower bound of a shard's steady clock, from what its frames say of it. Nothing is assumed of wall clocks.

/** The rates of two steady clocks differ by less than this. */
const RATES_DIFFER = 0.01;
const READING_MS = 1;
/** A relation that rises by more says that the client's clock stood still while the shard's went on, or that an earlier frame was slow. */
const RISES_MS = 10;

export class ShardClock {
  /** the shard's clock less the client's, by the quickest of the last frames; null: none has come */
  #aheadMs: number | null = null;
  /** when that frame was taken in */
  #atMs = 0;

  /** The shard's clock was `clockUs` in a frame that was taken in at `nowMs`. Returns whether the client may have lost time. */
  told(clockUs: number, nowMs: number): boolean {
    const aheadMs = clockUs / 1000 - nowMs;
    const before = this.#aheadMs;
    if (before === null || aheadMs >= before - RATES_DIFFER * (nowMs - this.#atMs)) {
      this.#aheadMs = aheadMs;
      this.#atMs = nowMs;
    }
    return before !== null && aheadMs - before > RISES_MS;
  }

  get known(): boolean {
    return this.#aheadMs !== null;
  }

  /** The shard's clock shows at least this, in microseconds, when the client's shows `ms`, which is yet to come. 1: that is not known. */
  atLeastUs(ms: number): number {
    if (this.#aheadMs === null) return 1;
    const shardMs = this.#aheadMs + ms - RATES_DIFFER * Math.abs(ms - this.#atMs) - READING_MS;
    return Math.max(1, Math.floor(shardMs * 1000));
  }

  forget(): void {
    this.#aheadMs = null;
  }
}
