// The gRPC door: the Claret service, standard health and reflection, on one port.
import net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { connectionsPerDoor, openFilesMax } from '../descriptors.ts';
import { limitConnections } from '../dropped.ts';
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
  /** What listens: grpc-js would take any number of connections. */
  private readonly door: net.Server;
  private readonly health = new HealthImplementation();

  constructor(config: Config, log: FastifyBaseLogger, host: ShardHost, services: Services) {
    this.server = new Server(serverOptions(Math.max(config.frameBytesMax, config.bodyBytesMax)));
    const onFault = (error: unknown) => log.error({ err: error }, 'a call met a fault of the gateway');
    const implementation = {
      Session: serveSession(host),
      WatchTelemetry: serveTelemetry(services),
      Backup: serveBackup(services.ownPart),
      ...controlHandlers(services, config.bodyBytesMax, onFault),
    };
    this.server.addService(claretService, guarded(implementation as unknown as UntypedServiceImplementation, tokenCheck(config.token)));
    this.health.addToServer(this.server);
    new ReflectionService(described(packages)).addToServer(this.server);
    this.setServing(false);
    const { injectConnection } = this.server.createConnectionInjector(ServerCredentials.createInsecure());
    this.door = net.createServer({ noDelay: true }, injectConnection);
    limitConnections(this.door, connectionsPerDoor(openFilesMax(), services.topology.members.length), 'gRPC', log);
  }

  setServing(serving: boolean): void {
    for (const name of HEALTH_NAMES) this.health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  }

  /** Throws when the address is taken. */
  listen(address: { host: string; port: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.door.once('error', reject);
      this.door.listen(address, () => {
        this.door.off('error', reject);
        resolve();
      });
    });
  }

  /** Ends what is open and frees the port. */
  close(): void {
    this.door.close();
    this.server.forceShutdown();
  }
}
