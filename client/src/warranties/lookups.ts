// Lookups: whether to look in memory for what lists of a label read. Where it never saves a message, it costs more than it is worth: a list of
// sixty readings is looked up sixty times.

const MISSES_MAX = 16;
/** After so many misses in a row, one list in so many is looked up. */
const LOOKED_UP_ONE_IN = 8;
const LABELS_MAX = 1_024;

export class Lookups {
  /** in a row, by label */
  readonly #misses = new Map<string, number>();
  #lists = 0;

  wanted(label: string): boolean {
    return (this.#misses.get(label) ?? 0) < MISSES_MAX || this.#lists++ % LOOKED_UP_ONE_IN === 0;
  }

  /** A list was looked up: it has to ask fewer shards, or each of them. */
  lookedUp(label: string, saves: boolean): void {
    if (saves) this.#misses.delete(label);
    else {
      if (this.#misses.size >= LABELS_MAX) this.#misses.clear();
      this.#misses.set(label, (this.#misses.get(label) ?? 0) + 1);
    }
  }
}
