// Zipf: ranks 0..n-1, where rank r is drawn with a probability proportional to 1 / (r + 1)^alpha. Any alpha >= 0.

export class Zipf {
  /** the probability of each rank or a lower one */
  readonly #cumulative: Float64Array;

  constructor(ranks: number, alpha: number) {
    this.#cumulative = new Float64Array(ranks);
    let sum = 0;
    for (let rank = 0; rank < ranks; rank++) this.#cumulative[rank] = sum += (rank + 1) ** -alpha;
    for (let rank = 0; rank < ranks; rank++) this.#cumulative[rank]! /= sum;
  }

  /** @param chance uniform in [0, 1) */
  draw(chance: number): number {
    const cumulative = this.#cumulative;
    let low = 0;
    let high = cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cumulative[middle]! > chance) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
