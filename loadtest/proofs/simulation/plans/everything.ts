// All faults at once.
import type { Plan } from '../plan.ts';

export const everything: Plan = {
  name: 'everything',
  weather: {
    delayMs: [0.05, 2],
    spike: 0.002,
    spikeMs: 100,
    loss: 0.0003,
    duplication: 0.005,
    reordering: 0.0003,
    breaking: 0.0003,
    choking: 0.005,
  },
  everyMs: {
    breakStream: 2_000,
    partition: 5_000,
    stallShard: 2_500,
    stallClient: 2_500,
    crashShard: 2_000,
    killClient: 2_500,
    jumpClock: 2_000,
    switchConditions: 2_500,
    slowDisk: 3_000,
    crashAtWrite: 4_000,
    fullDisk: 6_000,
    failSync: 8_000,
  },
};
