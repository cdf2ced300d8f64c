// Transactions that read something, and then change hundreds of counters: as many as leave in one piece, or are kept until the end, and one or
// two more or less (client/src/attempt/branch.ts).
import type { Workload } from './workload.ts';

const SIZES = [255, 256, 257, 258, 511, 512, 513, 514, 515, 769, 770];
const HEAVY = 0.1;

export const pieces: Workload = {
  name: 'pieces',
  run(claret, chance) {
    const half = chance.below(2);
    const counter = (number: number) => `{pieces:${half}}:${number}`;
    const size = chance.happens(HEAVY) ? chance.pick(SIZES) : 1 + chance.below(3);
    return claret.transaction('Pieces', async (tx) => {
      const before = await tx.counter(counter(size)).value();
      for (let i = 0; i < size; i++) tx.counter(counter(i)).add(1);
      return before;
    });
  },
};
