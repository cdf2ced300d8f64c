// A small stock from which many transactions take, return and count pieces: escrow at its limit.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

export const stock: Workload = {
  name: 'stock',
  run(claret, chance) {
    const operations = Array.from({ length: 1 + chance.below(3) }, () => {
      const shelf = claret.on.boundedCounter(`shelf:${chance.below(3)}`);
      const kind = chance.below(10);
      if (kind < 4) return shelf.tryDecrement(1 + chance.below(3));
      if (kind < 7) return shelf.increment(1 + chance.below(2));
      return kind < 9 ? shelf.decrement(1) : shelf.value();
    });
    return perform(claret, chance, 'Stock', operations);
  },
};

/** Members take from what those below them have taken ahead of their commits. */
export const stockCrowd: Workload = { ...stock, name: 'stock-crowd', conditions: { combining: 'auto' }, combined: true };
