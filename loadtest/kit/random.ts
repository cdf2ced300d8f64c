// Seeded random numbers: a seed gives the same numbers on every machine, and so the same run. All of loadtest draws from here. This
// file has no imports, because k6 runs it as well as Node.

/** The state's step: odd, so that the states are one cycle. */
const STEP = 0x6d2b79f5;
/** Draws between two generators of `randomApart`. */
const APART = 2 ** 24;

/** Uniform in [0, 1). The generator is mulberry32, whose 32 bits of state are enough to draw a workload. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One of up to 256 generators, of which the first is `randomFrom`: their next 2^24 draws are disjoint parts of one cycle, so that what
 * one of them draws another does not repeat.
 */
export function randomApart(seed: number, number: number): () => number {
  return randomFrom(seed + Math.imul(number * APART, STEP));
}

/** An independent generator for each number and purpose: the draws for number 7 do not depend on the draws for other numbers. */
export function streams(seed: number, purpose: string): (number: number) => () => number {
  let mixed = seed >>> 0;
  for (let i = 0; i < purpose.length; i++) mixed = scattered(mixed ^ purpose.charCodeAt(i));
  return (number) => randomFrom(scattered(mixed ^ number));
}

/** The finalizer of MurmurHash3: neighbouring numbers get unrelated results. */
function scattered(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** One of the items, each with the same probability. REQUIRES: at least one item. */
export function pick<Item>(random: () => number, items: { readonly length: number; readonly [index: number]: Item }): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Exponential: the time to the next event, if one occurs every `mean` on average. */
export function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

/** Geometric over 0, 1, 2, …: the number of consecutive successes of probability `again`. */
export function geometric(random: () => number, again: number): number {
  let count = 0;
  while (random() < again) count++;
  return count;
}

/**
 * A rank of 0..count-1, Zipf-distributed with alpha 1 up to the difference between a logarithm and the harmonic numbers: in one
 * step, without a table.
 */
export function zipfRank(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random()) - 1);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const DIGITS = '0123456789abcdef';

function drawn(random: () => number, letters: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) text += letters[Math.floor(random() * letters.length)];
  return text;
}

/** A unique text, for ids that a visitor's page makes up. */
export const madeUpId = (random: () => number, length = 16): string => drawn(random, LETTERS, length);

export const hexadecimal = (random: () => number, length: number): string => drawn(random, DIGITS, length);

/** A generator as an object, for runs that draw many kinds of numbers. */
export class Chance {
  /** uniform in [0, 1) */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomFrom(seed);
  }

  /** An independent generator for one purpose: additional draws from it do not change the draws here. */
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

  /** The time to the next event, if one occurs every `mean` on average. */
  waiting(mean: number): number {
    return exponential(this.next, mean);
  }

  pick<Item>(items: readonly Item[]): Item {
    return pick(this.next, items);
  }
}
