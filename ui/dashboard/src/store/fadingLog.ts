// Things over time that are too big to keep all of them for long: beyond a weight, every second one of the older half goes,
// so that the newest are complete and the past stays covered ever more thinly.
//
// Invariants: `entries` are in order of time; the weights of all are at most `weight_max`, but for the newest.

export interface Logged {
  readonly at_ms: number;
  /** what it costs to keep */
  readonly weight: number;
}

export class FadingLog<T extends Logged> {
  private entries: T[] = [];
  private weight = 0;
  private readonly weight_max: number;
  private readonly onForget: (entry: T) => void;

  constructor(weight_max: number, onForget: (entry: T) => void = () => {}) {
    this.weight_max = weight_max;
    this.onForget = onForget;
  }

  get all(): readonly T[] {
    return this.entries;
  }

  /** Not before the newest. Entries from before `oldest_ms` are forgotten. */
  add(entry: T, oldest_ms: number): void {
    this.entries.push(entry);
    this.grown(entry.weight);
    let gone = 0;
    while (gone < this.entries.length - 1 && this.entries[gone]!.at_ms < oldest_ms) gone += 1;
    // Once in a while, not for each: what is too old costs nothing but room.
    if (gone > this.entries.length / 8) this.keep((_, index) => index >= gone);
  }

  /** The newest has become so much heavier. */
  grown(weight: number): void {
    this.weight += weight;
    while (this.weight > this.weight_max && this.entries.length > 1) {
      const half = Math.ceil(this.entries.length / 2);
      this.keep((_, index) => index >= half || (index % 2 === 1 && half > 1));
    }
  }

  /** The first entry at or after `at_ms`; as many as there are if there is none. */
  search(at_ms: number): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entries[middle]!.at_ms < at_ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  clear(): void {
    this.keep(() => false);
  }

  private keep(isKept: (entry: T, index: number) => boolean): void {
    const kept: T[] = [];
    this.weight = 0;
    this.entries.forEach((entry, index) => {
      if (!isKept(entry, index)) return this.onForget(entry);
      kept.push(entry);
      this.weight += entry.weight;
    });
    this.entries = kept;
  }
}
