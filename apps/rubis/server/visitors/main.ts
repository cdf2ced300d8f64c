// Starts the auctions' simulated visitors: apps/site/visitors/visitors.ts.
import { runVisitors } from '@claret/site/visitors/visitors.ts';

import { actOnce } from './act.ts';

await runVisitors({
  name: 'auction visitors',
  every_ms: 5_000,
  open: async (claret) => (random) => actOnce(claret, random),
});
