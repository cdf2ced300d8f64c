// gRPC at a gateway that owns no shard: it tells the topology, so that clients find the shards' owners, and refuses everything else. Clients
// have a connection to it already when it takes a shard.
import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js';
import { GatewayError } from '../errors.ts';
import type { Topology } from '../topology.ts';
import { claretService } from './proto.ts';
import type { Handlers } from './server.ts';
import { statusOf } from './status.ts';

const REFUSAL = new GatewayError('shard_unavailable', 'This gateway owns no shard. Read the topology.');

export function standbyHandlers(topology: Topology): Handlers {
  const refuseCall = (_call: unknown, callback: sendUnaryData<unknown>) => callback(statusOf(REFUSAL));
  const refuseStream = (call: ServerWritableStream<unknown, unknown>) => void call.emit('error', statusOf(REFUSAL));
  const refused = Object.entries(claretService).map(([name, { responseStream }]) => [name, responseStream ? refuseStream : refuseCall]);
  const handlers = {
    ...Object.fromEntries(refused),
    GetTopology: (_call: ServerUnaryCall<object, object>, callback: sendUnaryData<object>) =>
      callback(null, { ...topology.describe(), clusterName: topology.clusterName, clockMs: Date.now() }),
  };
  return handlers as unknown as Handlers;
}
