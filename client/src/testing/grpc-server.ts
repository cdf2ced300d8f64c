// A gRPC server for shards in this process, as gateways have it, for tests over real HTTP/2 on loopback.

import { Server, ServerCredentials, type ServerDuplexStream, type ServiceDefinition } from '@grpc/grpc-js';
import type { Environment } from '../environment/environment.ts';
import { systemEnvironment } from '../environment/system-environment.ts';
import { evenTopology } from '../topology/topology.ts';
import { claretService } from '../wire/contract.ts';
import { ShardHost } from './shard-host.ts';

const identity = (bytes: Buffer) => bytes;

interface HostOptions {
  sessionLeaseMs?: number;
  environment?: Environment;
}

export function makeHost(
  shard: number,
  shards: number,
  { sessionLeaseMs = 10_000, environment = systemEnvironment }: HostOptions = {},
): ShardHost {
  return new ShardHost(
    {
      shard,
      shards,
      incarnation: 1,
      sessionLeaseMs,
      phaseCapMs: 2,
      woundDelayMs: 2,
      woundGraceMs: 20,
      idleMs: 1000,
      frameBytesMax: 1 << 22,
      outputBytesMax: 1 << 26,
      logged: false,
    },
    environment,
    () => undefined,
  );
}

/**
 * Serves a shard as a gateway does.
 * @param port 0: any free one
 */
export async function serve(shard: ShardHost, addresses: () => string[], port = 0): Promise<{ address: string; stop: () => void }> {
  const server = new Server({ 'grpc.so_reuseport': 0 });
  const { Session, GetTopology } = claretService;
  server.addService(
    { Session: { ...Session, requestDeserialize: identity, responseSerialize: identity }, GetTopology } as unknown as ServiceDefinition,
    {
      Session: (call: ServerDuplexStream<Buffer, Buffer>) => {
        const link = shard.attach({ onFrame: (bytes) => void call.write(bytes as Buffer), onClose: () => call.end() });
        call.on('data', (bytes: Buffer) => link.send(bytes));
        call.on('end', () => (link.close(), call.end()));
        call.on('error', () => link.close());
        call.on('cancelled', () => link.close());
      },
      GetTopology: (_call: unknown, answer: (error: null, topology: object) => void) => answer(null, evenTopology(addresses())),
    },
  );
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, number) => (error ? reject(error) : resolve(number))),
  );
  return { address: `127.0.0.1:${bound}`, stop: () => server.forceShutdown() };
}
