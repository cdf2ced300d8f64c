// Reads of the past (loadtest/proofs/workloads/as-of.ts) and snapshot transactions, judged by the check of histories.

import { asOf } from '../../workloads/as-of.ts';
import { snapshots } from '../../workloads/snapshots.ts';
import type { Running as Simulated } from '../../workloads/workload.ts';
import type { Begin } from '../workload.ts';

const SNAPSHOTS_SHARE = 0.6;

export const past: Begin = ({ claret, chance }) => {
  const [looks, beside] = [asOf, snapshots].map((workload): Simulated => ('run' in workload ? workload : workload.begin(chance)));
  return { run: () => (chance.happens(SNAPSHOTS_SHARE) ? beside! : looks!).run(claret, chance) };
};
