// rawmix on few sets: each transaction reads sizes and adds new members, so that every add conflicts with every size, and with no
// other add.
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const SETS = 4;
const OPERATIONS = 4;

export const hotSets: Workload = {
  name: 'hot-sets',
  run(claret, chance) {
    const operations = Array.from({ length: OPERATIONS }, () => {
      // Half of them on the first set.
      const set = claret.on.set(`set:${chance.happens(0.5) ? 0 : chance.below(SETS)}`);
      return chance.happens(0.5) ? set.add(`member ${chance.below(2 ** 32)}`) : set.size();
    });
    return perform(claret, chance, 'Rawmix', operations);
  },
};
