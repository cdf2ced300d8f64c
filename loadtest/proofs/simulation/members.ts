// The members of a simulated cluster, as their configuration has them.
import { dealtRun } from '@claret/client';
import type { ClusterMember } from '@claret/gateway/cluster.ts';
import { Topology } from '@claret/gateway/topology.ts';

/** `dealt`: the number of the first ones among which the slots are dealt at first. */
export function topologyOf(addresses: readonly string[], dealt: number, replicated: boolean): Topology {
  const members: ClusterMember[] = addresses.map((address, shard) => ({
    shard,
    grpc: address,
    rest: address,
    slots: shard < dealt ? [dealtRun(shard, dealt)] : [],
  }));
  return new Topology({ members, durability: 'sync', clusterName: 'sim', replicated, dealt });
}
