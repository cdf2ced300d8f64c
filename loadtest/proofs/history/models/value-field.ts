// ValueField: a field of the type Value. Each change computes the next value from the one before it.

import { Refusal } from '../model.ts';
import type { Inner } from './inner.ts';
import { isHeld, type Shape } from './shape.ts';

/** Throws Refusal. */
export type Update = (old: Inner) => Inner;

export class ValueField {
  readonly #shape: Shape;
  #value: Inner;
  /** An update has failed when it was committed: from then on the value is not to be relied on. */
  #isQuarantined = false;

  constructor(shape: Shape, value: Inner) {
    this.#shape = shape;
    this.#value = value;
  }

  /** Throws Refusal. */
  get(): Inner {
    if (this.#isQuarantined) throw new Refusal('quarantined');
    return this.#value;
  }

  /** Whether the updates are possible one after the other. Throws Refusal if not. */
  check(updates: readonly Update[]): void {
    let value = this.get();
    for (const update of updates) value = this.#next(value, update);
  }

  #next(value: Inner, update: Update): Inner {
    const next = update(value);
    if (!isHeld(this.#shape, next)) throw new Refusal('a value of another shape, or too large');
    return next;
  }

  commit(update: Update): void {
    if (this.#isQuarantined) return;
    try {
      this.#value = this.#next(this.#value, update);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#isQuarantined = true;
    }
  }

  clone(): ValueField {
    const copy = new ValueField(this.#shape, this.#value);
    copy.#isQuarantined = this.#isQuarantined;
    return copy;
  }

  equals(other: ValueField): boolean {
    return this.#isQuarantined === other.#isQuarantined && isSame(this.#value, other.#value);
  }
}

/** An integer and a number are never the same: what is computed from them differs. */
function isSame(a: Inner, b: Inner): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((one: Inner, i) => isSame(one, b[i] as Inner));
}
