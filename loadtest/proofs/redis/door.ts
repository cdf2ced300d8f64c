// One gateway with a Redis door, in the process of the test. CLARET_DOOR=host:port names one that runs already.

import { startCluster } from '../../../gateway/src/testing/cluster.ts';
import type { Server } from './servers.ts';

export async function startDoor(): Promise<Server> {
  const running = process.env['CLARET_DOOR'];
  if (running !== undefined) return { address: running, stop: async () => {} };
  const cluster = await startCluster(1, { doors: true });
  return { address: cluster.gateways[0]!.member.resp!, stop: () => cluster.close() };
}
