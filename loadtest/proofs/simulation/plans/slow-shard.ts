// Shards stand still for a while and come back, or have a slow disk, while frames to them gather.
import type { Plan } from '../plan.ts';

export const slowShard: Plan = {
  name: 'slow-shard',
  weather: { delayMs: [0.05, 2] },
  everyMs: { stallShard: 250, slowDisk: 500 },
};
