// NumberedTable: what the messages of sessions name by number: attempts under way. It is on the hot path, so it is a ring of slots. A Map would also keep alive what has left it (see limits/deadlines.ts). A number is never used twice. A number whose
// slot is still taken by a long-lived item is skipped.

export interface Numbered {
  number: number;
}

const SLOTS_INITIAL = 64;

export class NumberedTable<Item extends Numbered> {
  #slots: (Item | null)[] = new Array<Item | null>(SLOTS_INITIAL).fill(null);
  #next = 1;
  #lowest = 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Gives the item the next free number. */
  add(item: Item): void {
    if (this.#size * 2 >= this.#slots.length) this.#grow();
    const mask = this.#slots.length - 1;
    while (this.#slots[this.#next & mask] !== null) this.#next++;
    item.number = this.#next++;
    this.#slots[item.number & mask] = item;
    this.#size++;
  }

  get(number: number): Item | null {
    const item = this.#slots[number & (this.#slots.length - 1)];
    return item != null && item.number === number ? item : null;
  }

  remove(item: Item): void {
    const slot = item.number & (this.#slots.length - 1);
    if (this.#slots[slot] !== item) return;
    this.#slots[slot] = null;
    this.#size--;
  }

  /** The table has no item below this number, and never will. */
  lowWater(): number {
    while (this.#lowest < this.#next && this.get(this.#lowest) === null) this.#lowest++;
    return this.#lowest;
  }

  /** Iterates in no particular order. Items may be removed during the iteration. */
  *[Symbol.iterator](): Generator<Item> {
    for (const item of [...this.#slots]) if (item !== null) yield item;
  }

  // Two numbers that have different slots in the old ring have different slots in the longer one.
  #grow(): void {
    const old = this.#slots;
    this.#slots = new Array<Item | null>(old.length * 2).fill(null);
    for (const item of old) if (item !== null) this.#slots[item.number & (this.#slots.length - 1)] = item;
  }
}
