// Latencies: a histogram whose buckets grow by a sixteenth of a doubling, from 10 µs to over an hour. Its size is constant, and a
// quantile is off by at most 4 %.

const LEAST_MS = 0.01;
const PER_DOUBLING = 16;
const BUCKETS = 30 * PER_DOUBLING;

export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;

  add(ms: number): void {
    const bucket = Math.ceil(PER_DOUBLING * Math.log2(ms / LEAST_MS));
    this.#counts[Math.max(0, Math.min(BUCKETS - 1, bucket))]!++;
    this.#count++;
  }

  /** In ms, the upper bound of the bucket; null without values. */
  quantile(share: number): number | null {
    if (this.#count === 0) return null;
    let left = Math.ceil(share * this.#count);
    let bucket = 0;
    while (bucket < BUCKETS - 1 && (left -= this.#counts[bucket]!) > 0) bucket++;
    return LEAST_MS * 2 ** (bucket / PER_DOUBLING);
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
  }
}
