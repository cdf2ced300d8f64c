// App servers fall silent all the time, for a moment or beyond their lease, and shards have to do without them.
import type { Plan } from '../plan.ts';

export const silent: Plan = {
  name: 'silent',
  weather: { delayMs: [0.05, 2] },
  everyMs: { stallClient: 120 },
  // If there were only one, nobody would have to do without it.
  least: { shards: 1, appServers: 2 },
};
