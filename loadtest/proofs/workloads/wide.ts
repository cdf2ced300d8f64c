// Each transaction changes counters on as many shards as there are, all by the same amount: one that took effect on some of
// them only leaves them apart.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const COUNTERS = 8;

export const wide: Workload = {
  name: 'wide',
  run(claret, chance) {
    const counters = Array.from({ length: COUNTERS }, (_, i) => claret.on.counter(`wide:${i}`));
    if (chance.happens(0.15))
      return perform(
        claret,
        chance,
        'Compare',
        counters.map((counter) => counter.value()),
      );
    const amount = 1 + chance.below(5);
    return perform(
      claret,
      chance,
      'Wide',
      counters.map((counter) => counter.add(amount)),
    );
  },
};
