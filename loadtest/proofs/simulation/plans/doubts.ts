// Clocks jump, shards stand still for longer than others wait for them, and their disks are slow: what one shard asks another is answered when both
// have gone on.
import type { Plan } from '../plan.ts';

export const doubts: Plan = {
  name: 'doubts',
  weather: { delayMs: [0.05, 2], spike: 0.05, spikeMs: 40 },
  everyMs: { stallShard: 400, slowDisk: 60, jumpClock: 300 },
  shardsMax: 2,
};
