// App servers die or stall beyond their lease at any moment; shards stall too.
import type { Plan } from '../plan.ts';

export const deaths: Plan = {
  name: 'deaths',
  weather: { delayMs: [0.05, 2], breaking: 0.0001 },
  everyMs: { killClient: 1_500, stallClient: 700, stallShard: 1_500 },
};
