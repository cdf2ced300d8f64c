// NativesInFlight: the natives of one session that have no answer, by number. Numbers follow each other, and answers come in order, but
// for natives that had to wait. So it is a ring of slots. A Map would keep answered natives alive (see limits/deadlines.ts).

import type { Native } from './native.ts';

const SLOTS_INITIAL = 64;

export class NativesInFlight {
  #slots = new Array<Native | undefined>(SLOTS_INITIAL).fill(undefined);
  #below = 1;
  #next = 1;

  /** The number that the next native gets. */
  get next(): number {
    return this.#next;
  }

  /** All natives below this number are answered. */
  get below(): number {
    while (this.#below < this.#next && this.get(this.#below) === undefined) this.#below++;
    return this.#below;
  }

  /** Gives the native its number. */
  add(native: Native): void {
    if (this.#next - this.below === this.#slots.length) this.#grow();
    this.#slots[this.#slotOf(this.#next++)] = native;
  }

  get(number: number): Native | undefined {
    return number >= this.#below && number < this.#next ? this.#slots[this.#slotOf(number)] : undefined;
  }

  /** The native is answered. */
  delete(number: number): void {
    if (this.get(number) !== undefined) this.#slots[this.#slotOf(number)] = undefined;
  }

  /** Iterates in order of number. */
  *[Symbol.iterator](): Generator<[number, Native]> {
    for (let number = this.#below; number < this.#next; number++) {
      const native = this.get(number);
      if (native !== undefined) yield [number, native];
    }
  }

  #slotOf(number: number): number {
    return number & (this.#slots.length - 1);
  }

  #grow(): void {
    const natives = [...this];
    this.#slots = new Array<Native | undefined>(2 * this.#slots.length).fill(undefined);
    for (const [number, native] of natives) this.#slots[this.#slotOf(number)] = native;
  }
}
