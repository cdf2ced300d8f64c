// The auction site's server, put together: it does not listen (main.ts does) and owns no data (the store does).
import cookie from '@fastify/cookie';
import type { Claret } from '@claret/client';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyServerOptions } from 'fastify';

import { API_PREFIX } from './api.ts';
import { comesFromThisSite } from './auth/csrf.ts';
import { COST, type Cost } from './auth/password.ts';
import { LiveItems } from './live/items.ts';
import { RequestProblem, handleError } from './problem.ts';
import { itemRoutes } from './routes/items.ts';
import { listRoutes } from './routes/lists.ts';
import { liveRoutes } from './routes/live.ts';
import { peopleRoutes } from './routes/people.ts';
import { servePages } from './routes/pages.ts';
import { sessionRoutes } from './routes/session.ts';
import type { App, Services } from './services.ts';

export type AppOptions = {
  claret: Claret;
  // the built site; null or missing: only the API is served
  web_root?: string | null;
  auction_seconds_min?: number;
  // lower only in tests
  password_cost?: Cost;
  logger?: FastifyServerOptions['logger'];
};

const AUCTION_SECONDS_MIN = 60;
const BODY_BYTES_MAX = 64 * 1024;
const REQUEST_TIMEOUT_MS = 20_000;

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

export async function buildApp(options: AppOptions): Promise<App> {
  const { claret } = options;
  const services: Services = {
    claret,
    items: new LiveItems(claret),
    auction_seconds_min: options.auction_seconds_min ?? AUCTION_SECONDS_MIN,
    password_cost: options.password_cost ?? COST,
  };
  const app: App = Fastify({
    logger: options.logger ?? false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A number is a number: "12" is refused, unknown fields are refused.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();

  await app.register(cookie);
  app.setErrorHandler(handleError);
  app.removeContentTypeParser('text/plain'); // JSON or nothing
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    if (!comesFromThisSite(request)) throw new RequestProblem('csrf_missing');
  });
  app.addHook('onClose', async () => services.items.close());

  await app.register(async (api) => apiRoutes(api as App, services), { prefix: API_PREFIX });
  healthRoutes(app, claret);
  await servePages(app, options.web_root ?? null);
  return app;
}

async function apiRoutes(api: App, services: Services): Promise<void> {
  // What it answers depends on who asks and when.
  api.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'));
  sessionRoutes(api, services);
  listRoutes(api, services);
  itemRoutes(api, services);
  peopleRoutes(api, services);
  liveRoutes(api, services);
}

function healthRoutes(app: App, claret: Claret): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { shards } = claret.status;
    const ready = shards.every((shard) => shard.state === 'live');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', shards });
  });
}
