// The operations that every mode sends: half of them add 1 to one of 10,000 counters, half read one. They are drawn by a seed
// before the run and repeated cyclically, so that drawing costs the client next to nothing.

import { connect } from '@claret/client';
import { randomFrom } from '../../kit/random.ts';

export const COUNTERS = 10_000;
const DRAWN = 1 << 16;

export interface Operation {
  key: string;
  adds: boolean;
}

export const keyOf = (counter: number): string => `bench:${counter}`;

export class Operations {
  readonly #drawn: Operation[] = [];
  #next = 0;
  /** number of adds returned so far */
  adds = 0;

  constructor(seed: number) {
    const random = randomFrom(seed);
    const keys = Array.from({ length: COUNTERS }, (_, counter) => keyOf(counter));
    for (let i = 0; i < DRAWN; i++) this.#drawn.push({ key: keys[Math.floor(random() * COUNTERS)]!, adds: random() < 0.5 });
  }

  next(): Operation {
    const operation = this.#drawn[this.#next++ & (DRAWN - 1)]!;
    if (operation.adds) this.adds++;
    return operation;
  }
}

/** Checks that the counters hold exactly the acknowledged adds. Throws otherwise. */
export async function checkCounters(address: string, acknowledged: number): Promise<void> {
  const claret = await connect({ addresses: [address], name: 'bench' });
  const values = await Promise.all(
    Array.from({ length: COUNTERS }, (_, counter) => claret.transact('check', [claret.on.counter(keyOf(counter)).value()])),
  );
  await claret.close();
  const sum = values.reduce((total, [value]) => total + Number(value), 0);
  if (sum !== acknowledged) throw new Error(`the counters hold ${sum}, but ${acknowledged} adds were acknowledged`);
}
