// The frame of an app server: everything but its routes. It does not listen (serve.ts does) and owns no data (the store
// does).
import cookie from '@fastify/cookie';
import type { Claret } from '@claret/client';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyRequest, type FastifyServerOptions } from 'fastify';

import { comesFromThisSite, mayReadApi } from './auth/origin.ts';
import { compressAnswers } from './compression.ts';
import { conditionsRoute } from './conditions.ts';
import { connectionOptions, endSilent, namesOneHost } from './connections.ts';
import { tellCost } from './cost.ts';
import { SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './headers.ts';
import { API_PREFIX, type App } from './http.ts';
import { waitForBodies } from './overload/bodies.ts';
import { giveDeadlines } from './overload/deadline.ts';
import { Door } from './overload/door.ts';
import { GATE_LIMITS, type GateLimits } from './overload/limits.ts';
import { Refusal } from './overload/refusal.ts';
import { servePages } from './pages.ts';
import { RequestProblem, type Problems } from './problem.ts';

/** What any app server may be started with. */
export type SiteOptions = {
  claret: Claret;
  /** the built site; null or missing: only the API is served */
  web_root?: string | null;
  /** where this cluster can be watched at work; null or missing: nowhere */
  dashboard_url?: string | null;
  /** addresses or ranges of the proxies in front of it, whose word on visitors' addresses and on TLS counts; none are believed else */
  proxies?: readonly string[];
  /** from one address; missing: REGISTRATIONS_PER_HOUR */
  registrations_per_hour?: number;
  logger?: FastifyServerOptions['logger'];
  /** how much it takes upon itself at once; other than GATE_LIMITS only in tests */
  gate_limits?: GateLimits;
};

const BODY_BYTES_MAX = 64 * 1024;
// Longer parts of an address are no address.
const PARAM_LENGTH_MAX = 256;

/** `routes` adds what is served under API_PREFIX. */
export async function siteApp(options: SiteOptions, problems: Problems<string>, routes: (api: App) => void): Promise<App> {
  const door = new Door({
    claret: options.claret,
    limits: options.gate_limits ?? GATE_LIMITS,
    refusal: new Refusal(problems.problem('overloaded'), SECURITY_HEADERS, BODY_BYTES_MAX),
    warn: (facts, message) => app.log.warn(facts, message),
  });
  const app: App = Fastify({
    serverFactory: door.server,
    logger: options.logger ?? false,
    bodyLimit: BODY_BYTES_MAX,
    ...connectionOptions(),
    trustProxy: options.proxies === undefined || options.proxies.length === 0 ? false : [...options.proxies],
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // A number is a number: "12" is refused, unknown fields are refused.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    // An address that cannot be read comes to no hook.
    frameworkErrors: (error, request, reply) => problems.handle(error, request, reply.headers(headersOf(request))),
  }).withTypeProvider<TypeBoxTypeProvider>();
  endSilent(app.server);

  await app.register(cookie);
  app.setErrorHandler(problems.handle);
  app.removeContentTypeParser('text/plain'); // JSON or nothing
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request));
    if (!namesOneHost(request.raw)) throw new RequestProblem('invalid_input', { detail: 'This request doesn’t name exactly one host.' });
    if (!comesFromThisSite(request)) throw new RequestProblem('csrf_missing');
  });

  waitForBodies(app);

  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        if (!mayReadApi(request)) throw new RequestProblem('csrf_missing');
      });
      await compressAnswers(api as App);
      giveDeadlines(api as App, options.claret);
      tellCost(api as App);
      conditionsRoute(api as App);
      routes(api as App);
    },
    { prefix: API_PREFIX },
  );
  healthRoutes(app, options.claret, door);
  await servePages(app, problems, options.web_root ?? null);
  return app;
}

// What is answered depends on who asks and when: nobody may keep it, unless it is a file (pages.ts).
const HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' };
const TLS_HEADERS = { ...TLS_SECURITY_HEADERS, 'cache-control': 'no-store' };

const headersOf = (request: FastifyRequest) => (request.protocol === 'https' ? TLS_HEADERS : HEADERS);

function healthRoutes(app: App, claret: Claret, door: Door): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { shards } = claret.status;
    const ready = shards.every((shard) => shard.state === 'live');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', shards, gate: door.state });
  });
}
