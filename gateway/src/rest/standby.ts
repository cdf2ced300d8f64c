// REST at a gateway that owns no shard: it answers the probes itself, and passes everything else on to a gateway that owns one.
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { GatewayError } from '../errors.ts';
import type { Followed } from '../replication/standbys.ts';
import { HEADER_BYTES_MAX } from './listener.ts';
import type { RestListener } from './listener.ts';
import { sendProblem } from './problem.ts';

export interface StandbyView {
  follows(): readonly Followed[];
  /** REST addresses of the owners of shards that have one at present, in the order of the shards */
  owners(): readonly string[];
  /** Each shard has an owner. */
  isWhole(): boolean;
}

/** An owner that did not answer is not asked for so long, if another one is known. */
const LEFT_OUT_MS = 2_000;

export function buildStandbyApp(view: StandbyView, listener: RestListener): FastifyInstance {
  const app = Fastify({
    loggerInstance: listener.log,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    serverFactory: listener.serverFactory,
    childLoggerFactory: (logger, bindings, options) => logger.child(bindings, { ...options, level: quieter(logger.level) }),
  });
  app.get('/livez', () => ({ status: 'ok' }));
  for (const path of ['/readyz', '/healthz']) {
    app.get(path, (_request, reply) => {
      const isWhole = view.isWhole();
      const follows = view.follows().map(({ shard, position, isReady }) => ({ shard, position, ready: isReady }));
      return reply.code(isWhole ? 200 : 503).send({ status: isWhole ? 'ok' : 'unavailable', phase: 'standby', follows });
    });
  }
  const registry = standbyMetrics(view);
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));
  passOn(app, view);
  return app;
}

/** Each request that an owner did not answer would be a warning with a stack; the caller is told. */
const quieter = (level: string) => (['fatal', 'silent'].includes(level) ? level : 'error');

function passOn(app: FastifyInstance, { owners }: StandbyView): void {
  const silentSinceMs = new Map<string, number>();
  const isSilent = (owner: string) => performance.now() - (silentSinceMs.get(owner) ?? -Infinity) < LEFT_OUT_MS;
  // Only a standby needs it, and it takes long to load.
  app.register(import('@fastify/reply-from'), { http: {}, disableRequestLogging: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const owner = owners().find((one) => !isSilent(one)) ?? owners()[0];
    if (owner === undefined) return sendProblem(new GatewayError('recovering', 'No shard has an owner yet.'), request, reply);
    return reply.from(`http://${owner}${request.url}`, {
      // A backup takes its time, and a stream of events has pauses of any length.
      timeout: 0,
      // Whoever asked knows whether and when to ask again.
      retryDelay: () => null,
      // The owner compares it with the origin of a page.
      rewriteRequestHeaders: ({ headers: { host } }, headers) => ({ ...headers, ...(host !== undefined && { host }) }),
      onError: () => {
        silentSinceMs.set(owner, performance.now());
        void sendProblem(new GatewayError('shard_unavailable', `The gateway at ${owner} does not answer.`), request, reply);
      },
    });
  });
}

function standbyMetrics({ follows }: StandbyView): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'claret_' });
  new Gauge({
    name: 'claret_standby_position',
    help: 'Last entry of the log of each shard that this standby has restored',
    labelNames: ['shard'],
    registers: [registry],
    collect() {
      for (const { shard, position } of follows()) this.set({ shard: String(shard) }, position);
    },
  });
  new Gauge({
    name: 'claret_standby_ready',
    help: '1: this standby has followed the log of the shard to its end',
    labelNames: ['shard'],
    registers: [registry],
    collect() {
      for (const { shard, isReady } of follows()) this.set({ shard: String(shard) }, isReady ? 1 : 0);
    },
  });
  return registry;
}
