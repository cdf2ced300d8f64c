// Each transaction changes counters on all shards by the same amount: a transaction that took effect only on some of them would
// make them differ.
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
