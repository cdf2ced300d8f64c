// The gRPC door: the Claret service, standard health and reflection, on one port.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { HealthImplementation } from 'grpc-health-check';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
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
  }

  setServing(serving: boolean): void {
    for (const name of HEALTH_NAMES) this.health.setStatus(name, serving ? 'SERVING' : 'NOT_SERVING');
  }

  /** Throws when the address is taken. */
  listen(address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(address, ServerCredentials.createInsecure(), (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Ends what is open and frees the port. */
  close(): void {
    this.server.forceShutdown();
  }
}
