// Clocks are apart and jump; processes stand still; the conditions change in the middle of the storm.
import type { Plan } from '../plan.ts';

export const clocks: Plan = {
  name: 'clocks',
  weather: { delayMs: [0.05, 1], spike: 0.001, spikeMs: 20 },
  everyMs: { jumpClock: 300, stallShard: 1_000, stallClient: 1_000, switchConditions: 700 },
};
