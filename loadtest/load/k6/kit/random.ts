// Chance by seed: what an arrival does depends on the storm's seed and on the number of the arrival, not on which of k6's
// virtual users serves it, nor on when. The same seed, the same visitors.

import { randomFrom } from '../../../kit/random.ts';

/** Uniform in [0, 1): for each purpose a stream of its own for each number. */
export function streams(seed: number, purpose: string): (number: number) => () => number {
  let mixed = seed >>> 0;
  for (let i = 0; i < purpose.length; i++) mixed = scattered(mixed ^ purpose.charCodeAt(i));
  return (number) => randomFrom(scattered(mixed ^ number));
}

/** Neighbours become strangers: the finalizer of MurmurHash3. */
function scattered(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** One of them, each alike. There is at least one. */
export function pick<Item>(random: () => number, items: { readonly length: number; readonly [index: number]: Item }): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Exponential: the time to the next event where one comes in every `mean` on average. */
export function exponential(random: () => number, mean: number): number {
  return -Math.log(1 - random()) * mean;
}

/** How often in a row chance says "again": a geometric distribution over 0, 1, 2, … */
export function geometric(random: () => number, again: number): number {
  let count = 0;
  while (random() < again) count++;
  return count;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A text that nobody else chooses: for ids that the visitor's page makes up. */
export function madeUpId(random: () => number, length = 16): string {
  let text = '';
  for (let i = 0; i < length; i++) text += LETTERS[Math.floor(random() * LETTERS.length)];
  return text;
}

/** A rank of 0..count-1, zipfian with alpha 1 as closely as a logarithm is to the harmonic numbers: in one step, with no table. */
export function zipfRank(random: () => number, count: number): number {
  return Math.min(count - 1, Math.floor((count + 1) ** random()) - 1);
}
