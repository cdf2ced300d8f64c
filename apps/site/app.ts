// The frame of an app server: everything but its routes. It does not listen (serve.ts does) and owns no data (the store
// does).
import cookie from '@fastify/cookie';
import type { Claret } from '@claret/client';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyServerOptions } from 'fastify';

import { comesFromThisSite } from './auth/csrf.ts';
import { tellCost } from './cost.ts';
import { API_PREFIX, type App } from './http.ts';
import { GATE_LIMITS, type GateLimits } from './overload/limits.ts';
import { Refusal } from './overload/refusal.ts';
import { Door } from './overload/door.ts';
import { servePages } from './pages.ts';
import { RequestProblem, type Problems } from './problem.ts';

/** What any app server may be started with. */
export type SiteOptions = {
  claret: Claret;
  /** the built site; null or missing: only the API is served */
  web_root?: string | null;
  /** where this cluster can be watched at work; null or missing: nowhere */
  dashboard_url?: string | null;
  logger?: FastifyServerOptions['logger'];
  /** how much it takes upon itself at once; other than GATE_LIMITS only in tests */
  gate_limits?: GateLimits;
};

const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 20_000;
// Longer parts of an address are no address.
const PARAM_LENGTH_MAX = 256;

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** `routes` adds what is served under API_PREFIX. */
export async function siteApp(options: SiteOptions, problems: Problems<string>, routes: (api: App) => void): Promise<App> {
  const door = new Door({
    limits: options.gate_limits ?? GATE_LIMITS,
    refusal: new Refusal(problems.problem('overloaded'), SECURITY_HEADERS, BODY_BYTES_MAX),
    warn: (facts, message) => app.log.warn(facts, message),
  });
  const app: App = Fastify({
    serverFactory: door.server,
    logger: options.logger ?? false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // A number is a number: "12" is refused, unknown fields are refused.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    // An address that cannot be read comes to no hook.
    frameworkErrors: (error, request, reply) => problems.handle(error, request, reply.headers(SECURITY_HEADERS)),
  }).withTypeProvider<TypeBoxTypeProvider>();

  await app.register(cookie);
  app.setErrorHandler(problems.handle);
  app.removeContentTypeParser('text/plain'); // JSON or nothing
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (!comesFromThisSite(request)) throw new RequestProblem('csrf_missing');
  });

  await app.register(
    async (api) => {
      // What it answers depends on who asks and when.
      api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
      tellCost(api as App, options.claret);
      routes(api as App);
    },
    { prefix: API_PREFIX },
  );
  healthRoutes(app, options.claret, door);
  await servePages(app, problems, options.web_root ?? null);
  return app;
}

function healthRoutes(app: App, claret: Claret, door: Door): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { shards } = claret.status;
    const ready = shards.every((shard) => shard.state === 'live');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', shards, gate: door.state });
  });
}
