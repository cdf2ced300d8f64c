// Clocks differ, jump by hours and are corrected; shards restart repeatedly; processes stall; the conditions change under load.
import type { Plan } from '../plan.ts';

export const clocks: Plan = {
  name: 'clocks',
  weather: { delayMs: [0.05, 1], spike: 0.001, spikeMs: 20 },
  everyMs: {
    jumpClock: 150,
    partition: 400,
    crashShard: 2_000,
    restartLoop: 8_000,
    stallShard: 1_000,
    stallClient: 1_000,
    switchConditions: 700,
  },
};
