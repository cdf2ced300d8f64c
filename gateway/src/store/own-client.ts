// The gateway's own Claret client: it reaches the own shard within the process, and the other shards over gRPC.
import { GrpcTransport, LocalTransport, connect } from '@claret/client';
import type { Claret, TopologyDescription } from '@claret/client';
import type { ClusterMember } from '../cluster.ts';
import { localShard } from './local-link.ts';
import type { ShardHost } from './shard-host.ts';

export interface OwnClientOptions {
  /** shown to operators */
  name: string;
  /** default time limit of a transaction with its retries */
  timeoutMs: number;
  /** the cluster's token, empty for none */
  token: string;
  /** the cluster's durability: none | async | sync */
  durability: string;
}

export function connectOwnClient(
  host: ShardHost,
  own: ClusterMember,
  members: ClusterMember[],
  { token, durability, ...options }: OwnClientOptions,
): Promise<Claret> {
  const topology: TopologyDescription = {
    version: 1,
    durability,
    shards: members.map(({ grpc, rest, ...slots }) => ({ ...slots, address: grpc, restAddress: rest })),
  };
  const shards = new Map([[own.grpc, localShard(host)]]);
  const transport = new LocalTransport({ shards, topology: () => topology, elsewhere: new GrpcTransport(token) });
  return connect({ addresses: [own.grpc], transport, ...options });
}
