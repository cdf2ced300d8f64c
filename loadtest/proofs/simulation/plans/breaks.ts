// Streams break all the time, while frames sent on them arrive late, and app servers start and stop: most attempts are settled by
// queries.
import type { Plan } from '../plan.ts';

export const breaks: Plan = {
  name: 'breaks',
  weather: { delayMs: [0.05, 2], spike: 0.01, spikeMs: 100, duplication: 0.01 },
  everyMs: { breakStream: 60, killClient: 400, stallClient: 500 },
  // If there were only one, its locks would often stand for longer after its death than its successor lives, which would do nothing but wait.
  least: { shards: 1, appServers: 2 },
};
