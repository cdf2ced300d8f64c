// Once: the values that `tx.once` has drawn for one transaction, in the order of its calls. Each run of the body gets the same ones.

export class Once {
  /** by call */
  readonly #values = new Map<number, unknown>();

  /** The value of this call in the body; drawn by the first run that comes to it. */
  value<Result>(call: number, draw: () => Result): Result {
    if (!this.#values.has(call)) this.#values.set(call, draw());
    return this.#values.get(call) as Result;
  }
}
