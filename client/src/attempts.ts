// Attempts by number, for the hot path: a ring of slots instead of a Map. A number is never used twice; one whose slot
// is still taken (by an attempt that lives long) is passed over.

export interface Numbered {
  number: number;
}

const SLOTS_INITIAL = 64;

export class AttemptTable<A extends Numbered> {
  #slots: (A | null)[] = new Array<A | null>(SLOTS_INITIAL).fill(null);
  #next = 1;
  #lowest = 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives the attempt the next free number. */
  add(attempt: A): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const mask = this.#slots.length - 1;
    while (this.#slots[this.#next & mask] !== null) this.#next++;
    attempt.number = this.#next++;
    this.#slots[attempt.number & mask] = attempt;
    this.#size++;
  }

  get(number: number): A | null {
    const attempt = this.#slots[number & (this.#slots.length - 1)];
    return attempt != null && attempt.number === number ? attempt : null;
  }

  remove(attempt: A): void {
    const slot = attempt.number & (this.#slots.length - 1);
    if (this.#slots[slot] !== attempt) return;
    this.#slots[slot] = null;
    this.#size--;
  }

  /** No attempt below this number is in the table, and none will be. */
  lowWater(): number {
    while (this.#lowest < this.#next && this.get(this.#lowest) === null) this.#lowest++;
    return this.#lowest;
  }

  /** In no particular order; attempts may be removed meanwhile. */
  *[Symbol.iterator](): Generator<A> {
    for (const attempt of [...this.#slots]) if (attempt !== null) yield attempt;
  }

  // Two live numbers that differ in the old mask differ in the longer one.
  #grow(): void {
    const old = this.#slots;
    this.#slots = new Array<A | null>(old.length * 2).fill(null);
    for (const attempt of old) if (attempt !== null) this.#slots[attempt.number & (this.#slots.length - 1)] = attempt;
  }
}
