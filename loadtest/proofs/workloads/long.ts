// Many operations of one transaction on one record and on others, in one or several requests.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

export const long: Workload = {
  name: 'long',
  run(claret, chance) {
    const dict = claret.on.dict(`dict:${chance.below(2)}`);
    const bounded = claret.on.boundedCounter(`stock:${chance.below(2)}`);
    const field = () => `f${chance.below(4)}`;
    const operations = Array.from({ length: 5 + chance.below(20) }, () => {
      const kind = chance.below(7);
      if (kind === 0) return dict.get(field(), field());
      if (kind === 1) return dict.set({ [field()]: chance.below(100) });
      if (kind === 2) return bounded.increment(chance.below(3));
      if (kind === 3) return bounded.tryDecrement(chance.below(3));
      if (kind === 4) return dict.remove(field());
      return claret.on.counter('events').add(1);
    });
    return perform(claret, chance, 'Long', operations);
  },
};
