// Frames come late, twice, in the wrong order or not at all; streams break; no process dies.
import type { Plan } from '../plan.ts';

export const weather: Plan = {
  name: 'weather',
  weather: {
    delayMs: [0.05, 3],
    spike: 0.003,
    spikeMs: 200,
    loss: 0.0005,
    duplication: 0.01,
    reordering: 0.0005,
    breaking: 0.0005,
    choking: 0.01,
  },
  everyMs: { breakStream: 1_000, partition: 4_000, switchConditions: 3_000 },
};
