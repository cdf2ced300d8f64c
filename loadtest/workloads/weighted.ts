// Weighted: draws one of 0..n-1, each with a probability proportional to its weight, in two steps on average.

export class Weighted {
  /** the probability of each or a lower one */
  readonly #cumulative: Float64Array;
  /** chances fall into as many equal buckets as there are weights (1 itself into one more): what each one's lowest draws */
  readonly #firstOf: Uint32Array;

  /** @param weights at least one, none below 0, not all 0 */
  constructor(weights: Float64Array) {
    this.#cumulative = new Float64Array(weights.length);
    this.#firstOf = new Uint32Array(weights.length + 1);
    this.weigh(weights);
  }

  /** From now on these are the weights, as many as before. */
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
