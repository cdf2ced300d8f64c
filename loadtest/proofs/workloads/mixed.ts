// Random operations of every data type, on a few records.
import { drawnOperations, randomCall } from '../history/testing-calls.ts';
import type { Workload } from './workload.ts';
import { perform } from './workload.ts';

const RECORDS_PER_TYPE = 2;
const OPERATIONS_MAX = 5;

export const mixed: Workload = {
  name: 'mixed',
  run(claret, chance) {
    const operations = Array.from({ length: 1 + chance.below(OPERATIONS_MAX) }, () => {
      const { key, name, args } = randomCall(chance, drawnOperations, RECORDS_PER_TYPE, chance.happens(0.02));
      return claret.describe(key, name, args);
    });
    return perform(claret, chance, 'Mixed', operations);
  },
};
