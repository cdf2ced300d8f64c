// AttemptTable: the attempts under way, by number. It is on the hot path, so it is a ring of slots instead of a Map. A number is
// never used twice. A number whose slot is still taken by a long-lived attempt is skipped.

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

  /** The table has no attempt below this number, and never will. */
  lowWater(): number {
    while (this.#lowest < this.#next && this.get(this.#lowest) === null) this.#lowest++;
    return this.#lowest;
  }

  /** Iterates in no particular order. Attempts may be removed during the iteration. */
  *[Symbol.iterator](): Generator<A> {
    for (const attempt of [...this.#slots]) if (attempt !== null) yield attempt;
  }

  // Two numbers that have different slots in the old ring have different slots in the longer one.
  #grow(): void {
    const old = this.#slots;
    this.#slots = new Array<A | null>(old.length * 2).fill(null);
    for (const attempt of old) if (attempt !== null) this.#slots[attempt.number & (this.#slots.length - 1)] = attempt;
  }
}
