// The gateway's own Claret client: it reaches the own shard within the process, and the other shards over gRPC.
import { GrpcTransport, LocalTransport, connect } from '@claret/client';
import type { Claret, Transport } from '@claret/client';
import type { ClusterMember } from '../cluster.ts';
import type { Topology } from '../topology.ts';
import { localShard } from './local-link.ts';
import type { ShardHost } from './shard-host.ts';

export interface OwnClientOptions {
  /** shown to operators */
  name: string;
  /** default time limit of a transaction with its retries */
  timeoutMs: number;
  /** the cluster's token, empty for none */
  token: string;
}

export function connectOwnClient(
  host: ShardHost,
  own: ClusterMember,
  topology: Topology,
  { token, ...options }: OwnClientOptions,
): Promise<Claret> {
  const describe = () => topology.describe();
  const grpc = new GrpcTransport(token);
  const elsewhere: Transport = {
    open: (address, handlers) => grpc.open(address, handlers),
    // The gateway itself knows the newest topology.
    topology: async () => describe(),
    close: () => grpc.close(),
  };
  const transport = new LocalTransport({ shards: new Map([[own.grpc, localShard(host)]]), topology: describe, elsewhere });
  return connect({ addresses: [own.grpc], transport, ...options });
}
