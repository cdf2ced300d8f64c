// A few transactions that change hundreds of counters in several requests, among many that change one or two and commute with them,
// and some that read.
import { steered, type SteeredOptions } from '@claret/client/steered';
import type { Running, Workload } from './workload.ts';
import { perform } from './workload.ts';

/** On each of two shards, or on one. */
const COUNTERS = 1_000;
const SMALL_MAX = 3;

const bulkBy = (way: SteeredOptions['way'] & string): Running => ({
  run(claret, chance) {
    const counter = (number: number) => claret.on.counter(`{bulk:${number % 2}}:${number}`);
    const some = Array.from({ length: 1 + chance.below(SMALL_MAX) }, () => counter(chance.below(2 * COUNTERS)));
    if (chance.happens(0.1))
      return perform(
        claret,
        chance,
        'Look',
        some.map((one) => one.value()),
      );
    if (chance.happens(0.97))
      return perform(
        claret,
        chance,
        'Small',
        some.map((one) => one.add(1 + chance.below(9))),
      );
    const half = chance.below(2);
    const all = Array.from({ length: COUNTERS }, (_, i) => counter(2 * i + half).add(1));
    return claret.transact('Bulk', all, steered({ way }));
  },
});

export const bulk: Workload = { name: 'bulk', ...bulkBy('auto') };

/** Nothing is sent whole in chains, answered from memory or in an epoch, so that small transactions meet large ones that leave their records in parts. */
export const bulkLocks: Workload = { name: 'bulk-locks', ...bulkBy('locks'), conditions: { combining: 'off', warranties: 'off' } };
