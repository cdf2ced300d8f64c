// Ways are cut in one direction all the time, and the steady clocks of shards are too fast by a tenth and those of app servers too slow, although
// warranties take them to differ by less than a hundredth. The checks have to find that (../../mistakes/warranties.long.test.ts): so they see whether leases are
// kept. (If they differ by much more, clients notice that they seem to lose time.)
import type { Plan } from '../plan.ts';

const ERROR = 0.1;

export const beyond: Plan = {
  name: 'beyond',
  weather: {},
  everyMs: { cutOneWay: 150 },
  least: { shards: 2, appServers: 2 },
  rateError: (process) => (process.startsWith('app') ? -ERROR : ERROR),
};
