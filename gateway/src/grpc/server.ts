// The gRPC server: the Claret service, standard health and reflection, on one port.
import net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { connectionsPerServer, openFilesMax } from '../descriptors.ts';
import { limitConnections } from '../connection-limit.ts';
import type { Services } from '../services.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { tokenCheck } from '../token.ts';
import { serveBackup } from './backup.ts';
import { controlHandlers } from './control.ts';
import { described } from './description.ts';
import { guarded } from './guard.ts';
import { serverOptions } from './options.ts';
import { claretService, packages } from './proto.ts';
import { serveSession } from './session.ts';
import { serveTelemetry } from './telemetry.ts';

const HEALTH_NAMES = ['', 'claret.v1.Claret'];

export class GrpcServer {
  private readonly server: Server;
  /** accepts the connections: grpc-js by itself has no limit on their number */
  private readonly listener: net.Server;
  private readonly health = new HealthImplementation();

  constructor(config: Config, log: FastifyBaseLogger, host: ShardHost, services: Services) {
    this.server = new Server(serverOptions(Math.max(config.frameBytesMax, config.bodyBytesMax)));
    const onFault = (error: unknown) => log.error({ err: error }, 'a call failed because of a fault in the gateway');
    const implementation = {
      Session: serveSession(host),
      WatchTelemetry: serveTelemetry(services),
      Backup: serveBackup(services.ownShardBackup),
      ...controlHandlers(services, config.bodyBytesMax, onFault),
    };
    this.server.addService(claretService, guarded(implementation as unknown as UntypedServiceImplementation, tokenCheck(config.token)));
    this.health.addToServer(this.server);
    new ReflectionService(described(packages)).addToServer(this.server);
    this.setServing(false);
    const { injectConnection } = this.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.listener = net.createServer({ noDelay: true }, injectConnection);
    limitConnections(this.listener, connectionsPerServer(openFilesMax(), services.topology.members.length), 'gRPC', log);
  }

  setServing(serving: boolean): void {
    for (const name of HEALTH_NAMES) this.health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  }

  /** Throws if the address is taken. */
  listen(address: { host: string; port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.listener.once('error', reject);
      this.listener.listen(address, () => {
        this.listener.off('error', reject);
        resolve();
      });
    });
  }

  /** Ends open calls and frees the port. */
  close(): void {
    this.listener.close();
    this.server.forceShutdown();
  }
}
