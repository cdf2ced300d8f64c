// Starts the timelines' simulated visitors: apps/site/visitors/visitors.ts.
import { runVisitors } from '@claret/site/visitors/visitors.ts';

import { Usernames } from '../actions/usernames.ts';
import { Visitors } from './visitors.ts';

await runVisitors({
  name: 'timelines visitors',
  every_ms: 6_000,
  open: async (claret, random) => {
    const visitors = await Visitors.of(claret, new Usernames(), random);
    return visitors === null ? null : async () => void (await visitors.act());
  },
});
