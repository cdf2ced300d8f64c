// Disks: slow, full, failing; shards crash in the middle of writes, of checkpoints and of their starts, also all at once.
import type { Plan } from '../plan.ts';

export const disks: Plan = {
  name: 'disks',
  weather: {},
  everyMs: { crashAtWrite: 500, crashAll: 3_000, slowDisk: 1_500, fullDisk: 2_000, failSync: 3_000 },
};
