// A cluster of a benchmark's own, on free ports: up for as long as the work lasts, and down however it ends.

import { completed, type Conditions } from '@claret/client/telemetry';
import { startCluster, type Cluster, type ClusterOptions, type Death } from '../../scripts/cluster.js';

/** `more`: what else a cluster may be told; by default it keeps nothing. */
export async function withCluster(
  shards: number,
  env: Record<string, string>,
  work: (cluster: Cluster) => Promise<void>,
  more: ClusterOptions = {},
): Promise<void> {
  let cluster: Cluster | undefined;
  const interrupted = () => void cluster?.stop().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  const onDeath = ({ name, code, signal, lastLines }: Death) =>
    console.error(`${name} has ended (${signal ?? code}):\n${lastLines.join('\n')}`);
  try {
    await startCluster({ auctionServers: 0, onDeath, ...more, shards, ports: 'free', env, onStarting: (starting) => (cluster = starting) });
    await work(cluster!);
  } finally {
    await cluster?.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
  }
}

/** Sets the conditions of all shards. Throws if a shard has not taken them. Without `warranties`, nothing is promised. */
export async function setConditions(cluster: Cluster, conditions: Conditions): Promise<void> {
  const answer = await fetch(`${cluster.gateways[0]!.rest}/v1/admin/conditions`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(completed(conditions)),
  });
  if (!answer.ok) throw new Error(`the conditions were not set: ${answer.status} ${await answer.text()}`);
}
