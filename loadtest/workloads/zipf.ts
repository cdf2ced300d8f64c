// Zipf: ranks 0..n-1, where rank r is drawn with a probability proportional to 1 / (r + 1)^alpha. Any alpha >= 0.

export class Zipf {
  /** the probability of each rank or a lower one */
  readonly #cumulative: Float64Array;
  /** chances fall into as many equal buckets as there are ranks (1 itself into one more): what each one's lowest draws */
  readonly #firstOf: Uint32Array;

  constructor(ranks: number, alpha: number) {
    const cumulative = new Float64Array(ranks);
    let sum = 0;
    for (let rank = 0; rank < ranks; rank++) cumulative[rank] = sum += (rank + 1) ** -alpha;
    for (let rank = 0; rank < ranks; rank++) cumulative[rank]! /= sum;
    this.#cumulative = cumulative;
    this.#firstOf = new Uint32Array(ranks + 1);
    for (let bucket = 0, rank = 0; bucket <= ranks; bucket++) {
      while (rank < ranks - 1 && cumulative[rank]! <= bucket / ranks) rank++;
      this.#firstOf[bucket] = rank;
    }
  }

  /** In two steps, on average. @param chance uniform in [0, 1) */
  draw(chance: number): number {
    const cumulative = this.#cumulative;
    const last = cumulative.length - 1;
    let rank = this.#firstOf[Math.floor(chance * cumulative.length)]!;
    while (rank < last && cumulative[rank]! <= chance) rank++;
    return rank;
  }
}
