// Weighted: draws one of 0..n-1, each with a probability proportional to its weight, in two steps on average.

export class Weighted {
  /** cumulative probabilities */
  readonly #cumulative: Float64Array;
  /** the first index to try, by bucket: [0, 1) is divided into as many buckets as there are weights, plus one for 1 itself */
  readonly #firstOf: Uint32Array;

  /** @param weights at least one, none below 0, not all 0 */
  constructor(weights: Float64Array) {
    this.#cumulative = new Float64Array(weights.length);
    this.#firstOf = new Uint32Array(weights.length + 1);
    this.weigh(weights);
  }

  /** Replaces the weights; their number stays the same. */
  weigh(weights: Float64Array): void {
    const cumulative = this.#cumulative;
    const count = cumulative.length;
    let sum = 0;
    for (let i = 0; i < count; i++) cumulative[i] = sum += weights[i]!;
    for (let i = 0; i < count; i++) cumulative[i]! /= sum;
    for (let bucket = 0, i = 0; bucket <= count; bucket++) {
      while (i < count - 1 && cumulative[i]! <= bucket / count) i++;
      this.#firstOf[bucket] = i;
    }
  }

  /** @param chance uniform in [0, 1) */
  draw(chance: number): number {
    const cumulative = this.#cumulative;
    const last = cumulative.length - 1;
    let drawn = this.#firstOf[Math.floor(chance * cumulative.length)]!;
    while (drawn < last && cumulative[drawn]! <= chance) drawn++;
    return drawn;
  }
}
