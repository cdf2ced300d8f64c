// A cluster of two gateways with Redis doors, each a process of its own.

import { keyOn } from '../../../gateway/src/testing/cluster.ts';
import { startCluster, type ClusterOptions } from '../../../scripts/cluster.js';

const SHARDS = 2;

export interface TwoDoors {
  /** host and port of each door, in order of shards */
  doors: readonly { host: string; port: number }[];
  /** a key on each shard, in order, with that name in it */
  keysNamed(name: string): [string, string];
  /** to the process of that gateway */
  signal(shard: number, name: 'SIGSTOP' | 'SIGKILL'): void;
  stop(): Promise<void>;
}

/** Commands on keys of the other shard are sent on there; with `redirect` they are answered with MOVED. */
export async function startTwoDoors({ redirect = false, token }: { redirect?: boolean; token?: string } = {}): Promise<TwoDoors> {
  const options: ClusterOptions = { shards: SHARDS, redis: true };
  if (redirect) options.gatewayFlags = ['--resp-redirect', 'on'];
  if (token !== undefined) options.env = { CLARET_TOKEN: token };
  const cluster = await startCluster(options);
  const doors = cluster.gateways.map(({ resp }) => {
    const [host, port] = resp!.split(':');
    return { host: host!, port: Number(port) };
  });
  return {
    doors,
    keysNamed: (name) => [keyOn(0, SHARDS, name), keyOn(1, SHARDS, name)],
    signal: (shard, name) => void process.kill(cluster.gateways[shard]!.pid, name),
    stop: () => cluster.stop(),
  };
}
