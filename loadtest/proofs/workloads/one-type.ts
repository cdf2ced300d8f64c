// The operations of one data type at a time on one or two records: all pairs that commute, and all that do not, at high density.
import { drawnOperations, randomCall } from '../history/testing-calls.ts';
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const TYPES = [...new Set(drawnOperations.map((name) => name.split('.')[0]!))];

export const oneType: Workload = {
  name: 'one-type',
  run(claret, chance) {
    const type = chance.pick(TYPES);
    const names = drawnOperations.filter((name) => name.startsWith(`${type}.`));
    const operations = Array.from({ length: 1 + chance.below(4) }, () => {
      const { key, name, args } = randomCall(chance, names, 2, false);
      return claret.describe(key, name, args);
    });
    return perform(claret, chance, type, operations);
  },
};
