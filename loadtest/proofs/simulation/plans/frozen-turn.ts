// App servers freeze while they have the turn, one at a time. The others have to go on without it (freezes.ts). Nothing else fails.
import type { Plan } from '../plan.ts';

export const frozenTurn: Plan = {
  name: 'frozen-turn',
  weather: {},
  everyMs: { freezeInTurn: 120 },
  least: { shards: 2, appServers: 2 },
};
