// The paper's rawmix (../../workloads/rawmix.ts) on few sets, as the benchmarks measure it.
import { Rawmix } from '../../workloads/rawmix.ts';
import type { Workload } from './workload.ts';

const SETS = 8;

export const rawmix: Workload = {
  name: 'rawmix',
  begin(chance) {
    const mix = new Rawmix({ alpha: 1, update: 0.5, name: 'rawmix', sets: SETS }, chance.next);
    return { run: (claret) => mix.run(claret, mix.draw(claret), chance.happens(0.5) ? 'interactive' : 'one-shot') };
  },
};
