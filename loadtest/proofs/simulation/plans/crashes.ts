// Shards crash and recover from their logs, some at once and some late, in good weather.
import type { Plan } from '../plan.ts';

export const crashes: Plan = {
  name: 'crashes',
  weather: {},
  everyMs: { crashShard: 700, slowDisk: 2_000 },
};
