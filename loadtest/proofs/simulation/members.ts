// The members of a simulated cluster, as their configuration has them.
import { dealtRun } from '@claret/client';
import type { ClusterMember } from '@claret/gateway/cluster.ts';
import { Topology } from '@claret/gateway/topology.ts';
import { doorOf } from './doors/simulated-door.ts';

/** `dealt`: the number of the first ones among which the slots are dealt at first; `haveDoors`: of all of them, for Redis clients */
export function topologyOf(addresses: readonly string[], dealt: number, replicated: boolean, haveDoors: boolean): Topology {
  const members: ClusterMember[] = addresses.map((address, shard) => ({
    shard,
    grpc: address,
    rest: address,
    ...(haveDoors && { resp: doorOf(address) }),
    slots: shard < dealt ? [dealtRun(shard, dealt)] : [],
  }));
  return new Topology({ members, durability: 'sync', clusterName: 'sim', replicated, dealt });
}
