// Chance: every die of a simulated run, from its one seed. A purpose of its own takes a `fork`, so that one more throw for
// one purpose does not change all others.
import { randomFrom } from './random.ts';

export class Chance {
  /** uniform in [0, 1) */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  fork(): Chance {
    return new Chance(this.below(2 ** 32));
  }

  /** 0 <= integer < bound */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** uniform, not an integer */
  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  happens(probability: number): boolean {
    return probability > 0 && this.next() < probability;
  }

  /** Time until the next of something that comes once in `mean` on average. */
  waiting(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
