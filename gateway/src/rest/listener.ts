// RestListener: owns the REST port for the whole life of the process. While the shard is being restored, it answers the probes itself, with
// the progress of the start, and refuses everything else with `recovering`. Then the routes take over, on the same connections.
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import Fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyServerFactory } from 'fastify';
import { parseCluster, splitAddress } from '../cluster.ts';
import type { Config } from '../config.ts';
import { connectionsOf } from '../descriptors.ts';
import { limitConnections } from '../connection-limit.ts';
import { ERRORS, GatewayError } from '../errors.ts';
import type { RecoveryProgress } from '../store/recovery.ts';
import { sendProblem } from './problem.ts';

/** Long enough for a key of 1 KiB with every byte escaped, and for the arguments of a read. */
export const HEADER_BYTES_MAX = 32 * 1024;
/** A slow request is ended at most this long after `requestMs`. */
const LATE_MS_MAX = 500;
const KEEP_ALIVE_MS = 72_000;

export class RestListener {
  /** the gateway's logger */
  readonly log: FastifyBaseLogger;
  /** the progress of the start, for /readyz */
  progress: Readonly<RecoveryProgress> = { recordsLoaded: 0, entriesReplayed: 0, bytesRead: 0, bytesTotal: 0, milliseconds: 0 };

  private readonly server: Server;
  /** answers until `handOverTo` */
  private readonly startupApp: FastifyInstance;
  private handler: RequestListener;
  private readonly address: { host: string; port: number };
  /** host:port of this gateway's REST, for error messages */
  private readonly ownAddress: string;
  private open = false;

  /** `ownAddress`: the configured one by default. Throws TooFewDescriptors. */
  constructor(config: Config, ownAddress?: string) {
    this.ownAddress = ownAddress ?? parseCluster(config.cluster)[config.shard]!.rest;
    const { host, port } = splitAddress(this.ownAddress);
    this.address = { host: config.bind || host, port };
    const { requestMs } = config;
    // Node's default interval is 30 s.
    const checkMs = Math.min(LATE_MS_MAX, requestMs / 10);
    const timeouts = {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: checkMs,
    };
    this.server = createServer({ maxHeaderSize: HEADER_BYTES_MAX, ...timeouts }, (request, response) => this.handler(request, response));
    this.startupApp = this.buildStartupApp(config);
    this.handler = this.startupApp.routing;
    this.log = this.startupApp.log;
    limitConnections(this.server, connectionsOf(config), 'REST', this.log);
  }

  /** for the app that takes over after the start */
  readonly serverFactory: FastifyServerFactory = () => this.server;

  /** Requests go to `app` from now on. */
  handOverTo(app: Pick<FastifyInstance, 'routing'>): void {
    this.handler = app.routing;
  }

  /** Throws if the address is taken. Does nothing if it listens already. */
  async listen(): Promise<void> {
    if (this.open) return;
    await this.startupApp.ready();
    await new Promise<void>((resolve, reject) => {
      const taken = (error: Error) => reject(new Error(`cannot listen on ${this.ownAddress} (REST): ${error.message}`));
      this.server.once('error', taken);
      this.server.listen(this.address, () => {
        this.server.off('error', taken);
        resolve();
      });
    });
    this.open = true;
  }

  /** Closes idle connections at once; the others end by themselves or by `closeAll`. */
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

  private buildStartupApp({ logLevel, shard }: Pick<Config, 'logLevel' | 'shard'>): FastifyInstance {
    const app = Fastify({
      logger: { level: logLevel, base: { shard } },
      logController: new LogController({ disableRequestLogging: true }),
      routerOptions: { maxParamLength: HEADER_BYTES_MAX },
      serverFactory: this.serverFactory,
    });
    app.get('/livez', () => ({ status: 'ok' }));
    for (const path of ['/readyz', '/healthz']) {
      app.get(path, (_request, reply) => reply.code(503).send({ status: 'unavailable', phase: 'recovering', ...this.progressBody() }));
    }
    app.setNotFoundHandler((request, reply) => sendProblem(new GatewayError('recovering', ERRORS.recovering.meaning), request, reply));
    return app;
  }

  private progressBody() {
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
