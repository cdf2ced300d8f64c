// Read-only transactions across shards, awaited one after another, between writers of the same records: their results must be one
// state.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const PAIRS = 4;

export const readers: Workload = {
  name: 'readers',
  run(claret, chance) {
    const pair = chance.below(PAIRS);
    const [left, right] = [claret.on.register(`left:${pair}`), claret.on.register(`right:${pair}`)];
    if (chance.happens(0.7))
      return perform(claret, chance, 'Look', chance.happens(0.5) ? [left.get(), right.get()] : [right.get(), left.get()]);
    const value = chance.below(2 ** 32);
    return perform(claret, chance, 'Write', [left.set(value), right.set(value)]);
  },
};
