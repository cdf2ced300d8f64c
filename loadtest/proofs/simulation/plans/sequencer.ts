// The shard that hands out turns dies, stands still and comes back, and single app servers lose it: then clients ask different shards
// for their turns, and several clients have one.
import type { Plan } from '../plan.ts';

export const sequencer: Plan = {
  name: 'sequencer',
  weather: { delayMs: [0.05, 2] },
  everyMs: { stallSequencer: 400, crashSequencer: 1_500, hideSequencer: 250 },
  // A client that has lost the sequencer still sends members over two other shards.
  least: { shards: 3, appServers: 2 },
};
