// Once: the values and identifiers that one transaction has drawn, in the order of its calls. Each run of the body gets the same ones.

export class Once {
  /** by call */
  readonly #values = new Map<number, unknown>();
  readonly #ids: string[] = [];

  /** The value of this call in the body; drawn by the first run that comes to it. */
  value<Result>(call: number, draw: () => Result): Result {
    if (!this.#values.has(call)) this.#values.set(call, draw());
    return this.#values.get(call) as Result;
  }

  /** The identifier of this call. They have an order of their own, so that a body may draw one where it needs one. */
  id(call: number, draw: () => string): string {
    return (this.#ids[call] ??= draw());
  }
}
