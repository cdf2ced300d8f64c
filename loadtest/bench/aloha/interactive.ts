// Interactive transactions over counters, which take locks, await each operation, and remember what they have added.

import type { Claret } from '@claret/client';

export interface InteractiveOptions {
  /** operations of a transaction */
  size: number;
  /** of the operations, those that read; the others add 1 */
  readShare: number;
  keys: number;
  random: () => number;
}

export class Interactive {
  readonly #claret: Claret;
  readonly #options: InteractiveOptions;
  readonly #added = new Map<string, number>();

  constructor(claret: Claret, options: InteractiveOptions) {
    this.#claret = claret;
    this.#options = options;
  }

  #key(number: number): string {
    return `counter:${number}`;
  }

  async run(): Promise<boolean> {
    const { size, readShare, keys, random } = this.#options;
    const operations = Array.from({ length: size }, () => ({ key: this.#key(Math.floor(random() * keys)), reads: random() < readShare }));
    await this.#claret.transaction('Interactive', async (tx) => {
      for (const { key, reads } of operations) {
        if (reads) await tx.counter(key).value();
        else await tx.counter(key).add(1);
      }
    });
    for (const { key, reads } of operations) if (!reads) this.#added.set(key, (this.#added.get(key) ?? 0) + 1);
    return false;
  }

  /** What all counters hold together. */
  async #sum(): Promise<number> {
    const values = await Promise.all(
      Array.from({ length: this.#options.keys }, (_, number) => this.#claret.native.counter(this.#key(number)).value()),
    );
    return values.reduce<number>((sum, value) => sum + Number(value), 0);
  }

  /** Before the first transaction. Returns a check for the end: it throws if the counters have not grown by what was acknowledged. */
  async begin(): Promise<() => Promise<void>> {
    const before = await this.#sum();
    return async () => {
      const grown = (await this.#sum()) - before;
      const added = [...this.#added.values()].reduce((sum, count) => sum + count, 0);
      if (grown !== added) throw new Error(`${added} additions were acknowledged, and the counters have grown by ${grown}`);
    };
  }
}
