// Mix: draws the kind of the next transaction, by share.

export class Mix<Kind extends string> {
  readonly #kinds: readonly Kind[];
  /** cumulative shares */
  readonly #shares: Float64Array;

  /** Shares are in percent; the rest to a hundred goes to the first kind. */
  constructor(shares: Readonly<Record<Kind, number>>) {
    this.#kinds = Object.keys(shares) as Kind[];
    let sum = 0;
    this.#shares = Float64Array.from(this.#kinds, (kind) => (sum += shares[kind] / 100));
  }

  /** @param chance uniform in [0, 1) */
  draw(chance: number): Kind {
    const shares = this.#shares;
    for (let i = 0; i < shares.length; i++) if (chance < shares[i]!) return this.#kinds[i]!;
    return this.#kinds[0]!;
  }
}
