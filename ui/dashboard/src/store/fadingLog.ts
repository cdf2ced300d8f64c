// A log of objects that are too large to keep all of them for long. Above a weight limit the log is thinned: the newest entries
// stay complete; older entries are dropped evenly, and the more of them the older they are, so that the past stays covered.
//
// Invariants: entries are in order of time; the total weight is at most `weight_max`, except for the newest entry.

import { HISTORY_MS } from './span.ts';

export interface Logged {
  readonly at_ms: number;
  /** the cost of keeping the entry */
  readonly weight: number;
}

interface Slot<T> {
  entry: T;
  /** in (0, 1], evenly spread over any run of entries; the smaller, the longer the entry stays */
  chance: number;
}

/** Thinning reduces the weight to this share of the limit. */
const SLACK = 0.75;
/** The complete period is shortened by this factor until the weight fits; each thinning starts with a longer period again. */
const SHORTER = 0.8;
const LONGER = 2;
const BITS = 20;

export class FadingLog<T extends Logged> {
  private slots: Slot<T>[] = [];
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
    return this.slots.length;
  }

  /** Entries are in order of time, oldest first. */
  at(index: number): T | null {
    return this.slots[index]?.entry ?? null;
  }

  /** `entry` is not older than the newest one. Forgets entries from before `oldest_ms`. */
  add(entry: T, oldest_ms: number): void {
    this.slots.push({ entry, chance: evenlySpread(this.added++) });
    this.grown(entry.weight);
    const gone = this.search(oldest_ms);
    // Only now and then, not for each entry: an entry that is too old costs only memory.
    if (gone > this.slots.length / 8) this.keep((_, index) => index >= gone);
  }

  /** Reports that an entry's weight has grown. */
  grown(weight: number): void {
    this.weight += weight;
    if (this.weight > this.weight_max) this.thin();
  }

  /** The index of the first entry at or after `at_ms`; `length` if there is none. */
  search(at_ms: number): number {
    let [low, high] = [0, this.slots.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.slots[middle]!.entry.at_ms < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.keep(() => false);
  }

  private thin(): void {
    const newest_ms = this.slots.at(-1)!.entry.at_ms;
    while (this.weight > this.weight_max * SLACK && this.slots.length > 1) {
      const newest = this.slots.length - 1;
      const complete_ms = (this.complete_ms *= SHORTER);
      this.keep(({ entry, chance }, index) => index === newest || chance * (newest_ms - entry.at_ms + 1) <= complete_ms);
    }
    this.complete_ms = Math.min(HISTORY_MS, this.complete_ms * LONGER);
  }

  private keep(isKept: (slot: Slot<T>, index: number) => boolean): void {
    const kept: Slot<T>[] = [];
    this.weight = 0;
    this.slots.forEach((slot, index) => {
      if (!isKept(slot, index)) return this.onForget(slot.entry);
      kept.push(slot);
      this.weight += slot.entry.weight;
    });
    this.slots = kept;
  }
}

/** The bits of the number reversed, as a fraction (van der Corput): any run of consecutive numbers spreads evenly over (0, 1]. */
function evenlySpread(number: number): number {
  let [fraction, place] = [2 ** -BITS, 0.5];
  for (let left = number % 2 ** BITS; left > 0; left = Math.floor(left / 2)) {
    fraction += (left % 2) * place;
    place /= 2;
  }
  return fraction;
}
