// Epochs: lists of operations of every type as members of epochs, beside bodies that take locks on the same few records; and pairs of registers,
// most of them on two shards, that lists leave equal and that readers compare.
import type { Claret } from '@claret/client';
import { steered } from '@claret/client/steered';
import type { Chance } from '../../kit/random.ts';
import { drawnOperations, randomCall } from '../history/testing-calls.ts';
import { perform, type Running, type Workload } from './workload.ts';

const RECORDS_PER_TYPE = 2;
const OPERATIONS_MAX = 8;
const PAIRS = 3;

const keysOf = (pair: number): [string, string] => [`even:${pair}:left`, `even:${pair}:right`];

class Epochs implements Running {
  #written = 0;
  readonly #unequal: string[] = [];

  run(claret: Claret, chance: Chance): Promise<unknown> {
    const kind = chance.next();
    if (kind < 0.45) return this.#list(claret, chance);
    if (kind < 0.65) return this.#write(claret, chance);
    if (kind < 0.85) return this.#compare(claret, chance);
    return perform(claret, chance, 'Beside', this.#operations(claret, chance, 4));
  }

  #operations(claret: Claret, chance: Chance, most: number) {
    return Array.from({ length: 1 + chance.below(most) }, () => {
      const { key, name, args } = randomCall(chance, drawnOperations, RECORDS_PER_TYPE, chance.happens(0.02));
      return claret.describe(key, name, args);
    });
  }

  #list(claret: Claret, chance: Chance): Promise<unknown> {
    return claret.transact('Member', this.#operations(claret, chance, OPERATIONS_MAX), steered({ way: 'epoch' }));
  }

  #write(claret: Claret, chance: Chance): Promise<unknown> {
    const text = `${++this.#written}`;
    const list = keysOf(chance.below(PAIRS)).map((key) => claret.on.register(key).set(text));
    if (chance.happens(0.2)) return claret.transact('WriteByLocks', list, steered({ way: 'locks' }));
    return claret.writeOnly('Write', list, steered({ way: 'epoch' }));
  }

  async #compare(claret: Claret, chance: Chance): Promise<void> {
    const keys = keysOf(chance.below(PAIRS));
    const [left, right] = chance.happens(0.6)
      ? await claret.readOnly(
          'Compare',
          keys.map((key) => claret.on.register(key).get()),
          steered({ way: 'epoch' }),
        )
      : await claret.transaction('CompareByLocks', async (tx) => [await tx.register(keys[0]).get(), await tx.register(keys[1]).get()]);
    if (left !== right) this.#unequal.push(`${keys[0]} is ${String(left)}, ${keys[1]} is ${String(right)}`);
  }

  judge() {
    return this.#unequal.map((text) => ({ rule: 'epochs', text }));
  }
}

export const epochs: Workload = {
  name: 'epochs',
  begin: () => new Epochs(),
};

const ROWS = 600;
const LIST_MAX = 400;

/** Long lists of writes and reads of many records: turns and lists that take several steps. */
export const epochBatches: Workload = {
  name: 'epoch-batches',
  run(claret, chance) {
    const first = chance.below(ROWS);
    const keys = Array.from({ length: 1 + chance.below(LIST_MAX) }, (_, i) => `row:${(first + i) % ROWS}`);
    if (chance.happens(0.4)) {
      return claret.readOnly(
        'Rows',
        keys.map((key) => claret.on.register(key).get()),
        steered({ way: 'epoch' }),
      );
    }
    const text = `${chance.below(1_000_000)}`;
    const list = keys.map((key) => claret.on.register(key).set(text));
    if (chance.happens(0.9)) return claret.writeOnly('Import', list, steered({ way: 'epoch' }));
    return claret.writeOnly('ImportByLocks', list, steered({ way: 'locks' }));
  },
};
