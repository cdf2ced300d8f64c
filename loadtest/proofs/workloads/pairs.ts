// Pairs of records, most of them on two shards, that every commit leaves equal. Those who read them ask for other things in between, and throw an
// error of their own if the two differ. No body may end so, whatever happens to what it was told: such an error reaches the caller, who was told
// of something that never was.
import type { Claret, Tx } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { Deliberate, type Running, type Workload } from './workload.ts';

const PAIRS = 3;
const FAR = 1_000;

/** Invented by a body. */
class Unequal extends Deliberate {}

const keysOf = (pair: number): [string, string] => [`pair:${pair}:left`, `pair:${pair}:right`];

class Pairs implements Running {
  readonly #unequal: string[] = [];

  async run(claret: Claret, chance: Chance): Promise<unknown> {
    try {
      return await this.#run(claret, chance);
    } catch (error) {
      if (error instanceof Unequal) this.#unequal.push(error.message);
      throw error;
    }
  }

  #run(claret: Claret, chance: Chance): Promise<unknown> {
    const keys = keysOf(chance.below(PAIRS));
    const [first, second] = chance.happens(0.5) ? keys : keys.toReversed();
    const pauses = Array.from({ length: chance.below(3) }, () => `far:${chance.below(FAR)}`);
    const amount = 1 + chance.below(9);
    const kind = chance.next();
    if (kind < 0.75) return claret.transaction('Look', (tx) => this.#look(tx, [first!, second!], pauses));
    if (kind < 0.9) return claret.transact('Both', [claret.on.counter(first!).add(amount), claret.on.counter(second!).add(amount)]);
    return claret.transaction('Grow', async (tx) => {
      const value = await this.#look(tx, [first!, second!], pauses);
      await tx.counter(first!).add(value % 2 === 0 ? 1 : 2);
      await tx.counter(second!).add(value % 2 === 0 ? 1 : 2);
    });
  }

  async #look(tx: Tx, [first, second]: readonly [string, string], pauses: readonly string[]): Promise<number> {
    const one = Number(await tx.counter(first).value());
    for (const pause of pauses) await tx.counter(pause).value();
    const other = Number(await tx.counter(second).value());
    if (one !== other) throw new Unequal(`${first} is ${one}, ${second} is ${other}`);
    return one;
  }

  judge() {
    return this.#unequal.map((text) => ({ rule: 'what a body sees', text }));
  }
}

export const pairs: Workload = { name: 'pairs', warranted: true, conditions: { combining: 'off' }, begin: () => new Pairs() };
