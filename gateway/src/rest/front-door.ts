// The REST port, from the process's first moment to its last. While the shard is being restored it answers by itself: the
// process lives, is not ready, and how far it is; everything else is refused with `recovering`. Then the routes take over,
// on the same connections.
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyServerFactory } from 'fastify';
import { parseCluster, splitAddress } from '../cluster.ts';
import type { Config } from '../config.ts';
import { connectionsPerDoor, openFilesMax } from '../descriptors.ts';
import { limitConnections } from '../dropped.ts';
import { ERRORS, GatewayError } from '../errors.ts';
import type { RecoveryProgress } from '../store/recovery.ts';
import { sendProblem } from './problem.ts';

/** Long enough for a key of 1 KiB with every byte escaped, and for the arguments of a read. */
export const HEADER_BYTES_MAX = 32 * 1024;
/** How much later than `requestMs` a slow request is ended. */
const LATE_MS_MAX = 500;
const KEEP_ALIVE_MS = 72_000;

export class FrontDoor {
  /** the gateway's, from here on */
  readonly log: FastifyBaseLogger;
  /** how far the start is, for /readyz */
  progress: Readonly<RecoveryProgress> = { recordsLoaded: 0, entriesReplayed: 0, bytesRead: 0, bytesTotal: 0, milliseconds: 0 };

  private readonly server: Server;
  private readonly reception: FastifyInstance;
  private handler: RequestListener;
  private readonly address: { host: string; port: number };
  private readonly called: string;
  private open = false;

  /** Throws TooFewDescriptors. */
  constructor(config: Config) {
    const members = parseCluster(config.cluster);
    this.called = members[config.shard]!.rest;
    const { host, port } = splitAddress(this.called);
    this.address = { host: config.bind || host, port };
    const { requestMs } = config;
    // Node looks at them every 30 s unless it is told otherwise.
    const checkMs = Math.min(LATE_MS_MAX, requestMs / 10);
    const timeouts = {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: checkMs,
    };
    this.server = createServer({ maxHeaderSize: HEADER_BYTES_MAX, ...timeouts }, (request, response) => this.handler(request, response));
    this.reception = this.buildReception(config);
    this.handler = this.reception.routing;
    this.log = this.reception.log;
    limitConnections(this.server, connectionsPerDoor(openFilesMax(), members.length), 'REST', this.log);
  }

  /** For the app that will take over. */
  readonly serverFactory: FastifyServerFactory = () => this.server;

  /** From now on requests go to that app. */
  leadTo(app: Pick<FastifyInstance, 'routing'>): void {
    this.handler = app.routing;
  }

  /** Throws when the address is taken. Does nothing where it listens already. */
  async listen(): Promise<void> {
    if (this.open) return;
    await this.reception.ready();
    await new Promise<void>((resolve, reject) => {
      const taken = (error: Error) => reject(new Error(`cannot listen on ${this.called} (REST): ${error.message}`));
      this.server.once('error', taken);
      this.server.listen(this.address, () => {
        this.server.off('error', taken);
        resolve();
      });
    });
    this.open = true;
  }

  /** Connections that are at rest end at once, the others when `closeAll` is called. */
  async close(): Promise<void> {
    if (!this.open) return;
    this.open = false;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeIdleConnections();
    await closed;
  }

  closeAll(): void {
    this.server.closeAllConnections();
  }

  private buildReception({ logLevel, shard }: Pick<Config, 'logLevel' | 'shard'>): FastifyInstance {
    const app = Fastify({
      logger: { level: logLevel, base: { shard } },
      logController: new LogController({ disableRequestLogging: true }),
      routerOptions: { maxParamLength: HEADER_BYTES_MAX },
      serverFactory: this.serverFactory,
    });
    app.get('/livez', () => ({ status: 'ok' }));
    for (const path of ['/readyz', '/healthz']) {
      app.get(path, (_request, reply) => reply.code(503).send({ status: 'unavailable', phase: 'recovering', ...this.told() }));
    }
    app.setNotFoundHandler((request, reply) => sendProblem(new GatewayError('recovering', ERRORS.recovering.meaning), request, reply));
    return app;
  }

  private told() {
    const { recordsLoaded, entriesReplayed, bytesRead, bytesTotal, milliseconds } = this.progress;
    return {
      records_loaded: recordsLoaded,
      entries_replayed: entriesReplayed,
      bytes_read: bytesRead,
      bytes_total: bytesTotal,
      seconds: milliseconds / 1000,
    };
  }
}
