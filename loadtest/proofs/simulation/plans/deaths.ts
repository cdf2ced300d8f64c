// App servers die or stand still beyond their lease, in the middle of whatever they do; shards stand still too.
import type { Plan } from '../plan.ts';

export const deaths: Plan = {
  name: 'deaths',
  weather: { delayMs: [0.05, 2], breaking: 0.0001 },
  everyMs: { killClient: 1_500, stallClient: 700, stallShard: 1_500 },
};
