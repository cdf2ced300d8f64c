// Native operations of every data type, in pipelines and one by one, beside transactions on the same few records.
import type { Claret } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { drawnOperations, randomCall } from '../history/testing-calls.ts';
import type { Workload } from './workload.ts';
import { perform, performNatives } from './workload.ts';

const RECORDS_PER_TYPE = 2;
const OPERATIONS_MAX = 4;

const operationsOf = (claret: Claret, chance: Chance) =>
  Array.from({ length: 1 + chance.below(OPERATIONS_MAX) }, () => {
    const { key, name, args } = randomCall(chance, drawnOperations, RECORDS_PER_TYPE, chance.happens(0.02));
    return claret.describe(key, name, args);
  });

export const natives: Workload = {
  name: 'natives',
  inARow: OPERATIONS_MAX,
  run(claret, chance) {
    const operations = operationsOf(claret, chance);
    if (chance.happens(0.4)) return perform(claret, chance, 'Mixed', operations);
    return performNatives(claret, chance, operations);
  },
};
