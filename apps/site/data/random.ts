// Seeded random numbers for the data set: the same seed gives the same numbers on every machine.
//
// xoshiro128** (Blackman and Vigna), seeded through splitmix32. Only 32-bit integer arithmetic, so nothing rounds.

export class Random {
  readonly #state: Uint32Array;

  // `seed` is any 32-bit integer; `stream` gives an independent sequence for the same seed.
  constructor(seed: number, stream = 0) {
    let mixer = (seed ^ Math.imul(stream + 1, 0x9e3779b9)) >>> 0;
    this.#state = Uint32Array.from({ length: 4 }, () => {
      mixer = (mixer + 0x9e3779b9) >>> 0;
      let word = mixer;
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      return (word ^ (word >>> 15)) >>> 0;
    });
  }

  // An integer with 0 <= n < 2^32.
  word(): number {
    const s = this.#state as Uint32Array & [number, number, number, number];
    const product = Math.imul(s[1], 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  // A number with 0 <= x < 1.
  fraction(): number {
    return this.word() / 0x1_0000_0000;
  }

  // An integer with min <= n <= max.
  integer(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T;
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  // Exponentially distributed with this mean.
  exponential(mean: number): number {
    return -Math.log(1 - this.fraction()) * mean;
  }

  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [items[i], items[j]] = [items[j] as T, items[i] as T];
    }
    return items;
  }
}

// Draws an index with a probability in proportion to its weight.
export class WeightedDraw {
  readonly #cumulative: Float64Array;
  readonly total: number;

  constructor(weights: readonly number[]) {
    this.#cumulative = new Float64Array(weights.length);
    let sum = 0;
    weights.forEach((weight, i) => (this.#cumulative[i] = sum += weight));
    this.total = sum;
  }

  draw(random: Random): number {
    const target = random.fraction() * this.total;
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cumulative[middle] as number) > target) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

// The weights 1/1, 1/2, 1/3, ...: Zipf with exponent 1.
export function zipfWeights(count: number): number[] {
  return Array.from({ length: count }, (_, rank) => 1 / (rank + 1));
}
