// gRPC at a gateway that serves a shard.
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import type { Services } from '../services.ts';
import type { ShardHost } from '../store/shard-host.ts';
import { serveBackup } from './backup.ts';
import { controlHandlers } from './control.ts';
import type { Handlers } from './server.ts';
import { serveSession } from './session.ts';
import { serveTelemetry } from './telemetry.ts';

export function serviceHandlers(config: Config, log: Pick<FastifyBaseLogger, 'error'>, host: ShardHost, services: Services): Handlers {
  const onFault = (error: unknown) => log.error({ err: error }, 'a call failed because of a fault in the gateway');
  const handlers = {
    Session: serveSession(host),
    WatchTelemetry: serveTelemetry(services),
    Backup: serveBackup(services.ownShardBackup),
    ...controlHandlers(services, config.bodyBytesMax, onFault),
  };
  return handlers as unknown as Handlers;
}
