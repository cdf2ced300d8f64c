// Mix: which kind of transaction runs next, by its share.

export class Mix<Kind extends string> {
  readonly #kinds: readonly Kind[];
  /** up to and with each kind */
  readonly #shares: Float64Array;

  /** Shares are percent; what they leave of a hundred goes to the first kind. */
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
