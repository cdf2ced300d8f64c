// gRPC at a gateway that owns no shard: it tells the topology, so that clients find the shards' owners, and refuses everything else. Clients
// have a connection to it already when it takes a shard.
import net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerUnaryCall, ServerWritableStream, UntypedServiceImplementation, sendUnaryData } from '@grpc/grpc-js';
import { splitAddress } from '../cluster.ts';
import { GatewayError } from '../errors.ts';
import { tokenCheck } from '../token.ts';
import type { Topology } from '../topology.ts';
import { guarded } from './guard.ts';
import { serverOptions } from './options.ts';
import { claretService } from './proto.ts';
import { statusOf } from './status.ts';

const REFUSAL = new GatewayError('shard_unavailable', 'This gateway owns no shard. Read the topology.');

export interface StandbyGrpcOptions {
  /** host:port of its own */
  address: string;
  /** host to listen on; empty: the host of the address */
  bind: string;
  /** of the cluster; empty: none */
  token: string;
  topology: Topology;
}

export class StandbyGrpc {
  private readonly options: StandbyGrpcOptions;
  private readonly server: Server;
  private readonly listener: net.Server;

  constructor(options: StandbyGrpcOptions) {
    this.options = options;
    this.server = new Server(serverOptions(64 << 10));
    this.server.addService(claretService, guarded(handlers(options.topology), tokenCheck(options.token)));
    const { injectConnection } = this.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.listener = net.createServer({ noDelay: true }, injectConnection);
  }

  /** Throws if the address is taken. */
  listen(): Promise<void> {
    const { address, bind } = this.options;
    const { host, port } = splitAddress(address);
    return new Promise((resolve, reject) => {
      this.listener.once('error', (error) => reject(new Error(`cannot listen on ${address} (gRPC): ${error.message}`)));
      this.listener.listen({ host: bind || host, port }, resolve);
    });
  }

  /** Resolves when the port is free. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.listener.close(() => resolve()));
    this.server.forceShutdown();
    if (this.listener.listening) await closed;
  }
}

function handlers(topology: Topology): UntypedServiceImplementation {
  const refuseCall = (_call: unknown, callback: sendUnaryData<unknown>) => callback(statusOf(REFUSAL));
  const refuseStream = (call: ServerWritableStream<unknown, unknown>) => void call.emit('error', statusOf(REFUSAL));
  const refused = Object.entries(claretService).map(([name, { responseStream }]) => [name, responseStream ? refuseStream : refuseCall]);
  return {
    ...(Object.fromEntries(refused) as UntypedServiceImplementation),
    GetTopology: (_call: ServerUnaryCall<object, object>, callback: sendUnaryData<object>) =>
      callback(null, { ...topology.describe(), clusterName: topology.clusterName, clockMs: Date.now() }),
  };
}
