// Things over time that are too big to keep all of them for long. Beyond a weight the log is thinned: the newest stay
// complete, and of what is older the fewer are kept the older it is, evenly, so that the past stays covered.
//
// Invariants: entries are in order of time; the weights of all are at most `weight_max`, but for the newest.

import { HISTORY_MS } from './span.ts';

export interface Logged {
  readonly at_ms: number;
  /** what it costs to keep */
  readonly weight: number;
}

interface Place<T> {
  entry: T;
  /** in (0, 1], evenly spread over any stretch of the log; the smaller, the longer it stays */
  chance: number;
}

/** Thinning makes so much room at once. */
const SLACK = 0.75;
/** What is complete gets shorter by this until there is room; the next time it may be longer again. */
const SHORTER = 0.8;
const LONGER = 2;
const BITS = 20;

export class FadingLog<T extends Logged> {
  private places: Place<T>[] = [];
  private weight = 0;
  private added = 0;
  private complete_ms = HISTORY_MS;
  private readonly weight_max: number;
  private readonly onForget: (entry: T) => void;

  constructor(weight_max: number, onForget: (entry: T) => void = () => {}) {
    this.weight_max = weight_max;
    this.onForget = onForget;
  }

  get length(): number {
    return this.places.length;
  }

  /** Oldest first. */
  at(index: number): T | null {
    return this.places[index]?.entry ?? null;
  }

  /** Not before the newest. Entries from before `oldest_ms` are forgotten. */
  add(entry: T, oldest_ms: number): void {
    this.places.push({ entry, chance: evenlySpread(this.added++) });
    this.grown(entry.weight);
    const gone = this.search(oldest_ms);
    // Once in a while, not for each: what is too old costs nothing but room.
    if (gone > this.places.length / 8) this.keep((_, index) => index >= gone);
  }

  /** An entry has become so much heavier. */
  grown(weight: number): void {
    this.weight += weight;
    if (this.weight > this.weight_max) this.thin();
  }

  /** The first entry at or after `at_ms`; as many as there are if there is none. */
  search(at_ms: number): number {
    let [low, high] = [0, this.places.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.places[middle]!.entry.at_ms < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.keep(() => false);
  }

  private thin(): void {
    const newest_ms = this.places.at(-1)!.entry.at_ms;
    while (this.weight > this.weight_max * SLACK && this.places.length > 1) {
      const newest = this.places.length - 1;
      const complete_ms = (this.complete_ms *= SHORTER);
      this.keep(({ entry, chance }, index) => index === newest || chance * (newest_ms - entry.at_ms + 1) <= complete_ms);
    }
    this.complete_ms = Math.min(HISTORY_MS, this.complete_ms * LONGER);
  }

  private keep(isKept: (place: Place<T>, index: number) => boolean): void {
    const kept: Place<T>[] = [];
    this.weight = 0;
    this.places.forEach((place, index) => {
      if (!isKept(place, index)) return this.onForget(place.entry);
      kept.push(place);
      this.weight += place.entry.weight;
    });
    this.places = kept;
  }
}

/** The bits of the number reversed, as a fraction (van der Corput): any run of numbers falls evenly over (0, 1]. */
function evenlySpread(number: number): number {
  let [fraction, place] = [2 ** -BITS, 0.5];
  for (let left = number % 2 ** BITS; left > 0; left = Math.floor(left / 2)) {
    fraction += (left % 2) * place;
    place /= 2;
  }
  return fraction;
}
