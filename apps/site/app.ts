// Builds an app server with everything but its routes. It does not listen (serve.ts does) and owns no data (the store does).
import cookie from '@fastify/cookie';
import type { Claret } from '@claret/client';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyRequest, type FastifyServerOptions } from 'fastify';

import { comesFromThisSite, mayReadApi } from './auth/origin.ts';
import { compressAnswers } from './compression.ts';
import { onFirstUse } from './compilers.ts';
import { conditionsRoute } from './conditions.ts';
import { connectionOptions, closeSilentConnections, closePromptly, namesOneHost } from './connections.ts';
import { reportCost } from './cost.ts';
import { SECURITY_HEADERS, TLS_SECURITY_HEADERS } from './headers.ts';
import { API_PREFIX, PUBLIC_PREFIX, type App } from './http.ts';
import { waitForBodies } from './overload/bodies.ts';
import { applyDeadlines } from './overload/deadline.ts';
import { AdmissionServer } from './overload/admission-server.ts';
import { ADMISSION_LIMITS, type AdmissionLimits } from './overload/limits.ts';
import { Refusal } from './overload/refusal.ts';
import { servePages } from './pages.ts';
import { RequestProblem, type Problems } from './problem.ts';
import { publicResources, type AddResource } from './public.ts';

/** The options of every app server. */
export type SiteOptions = {
  claret: Claret;
  /** the built site; null or missing: only the API is served */
  web_root?: string | null;
  /** URL of the cluster's dashboard; null or missing: pages show no link to it */
  dashboard_url?: string | null;
  /** addresses or ranges of trusted proxies, whose headers give a visitor's address and protocol; empty or missing: none is trusted */
  proxies?: readonly string[];
  /** per address; missing: REGISTRATIONS_PER_HOUR */
  registrations_per_hour?: number;
  logger?: FastifyServerOptions['logger'];
  /** limits of admission control; tests alone set anything but ADMISSION_LIMITS */
  admission_limits?: AdmissionLimits;
};

// how long a start waits for shards to tell the time; one that is away then is met later
const CLOCK_MS_MAX = 2_000;
const BODY_BYTES_MAX = 64 * 1024;
// A longer path parameter is answered with 404.
const PARAM_LENGTH_MAX = 256;

/** `routes` adds the routes under API_PREFIX, and `resources` those under PUBLIC_PREFIX. */
export async function siteApp(
  options: SiteOptions,
  problems: Problems<string>,
  routes: (api: App) => void,
  resources?: (add: AddResource) => void,
): Promise<App> {
  await options.claret.clock.ready(CLOCK_MS_MAX).catch(() => undefined);
  const admission = new AdmissionServer({
    claret: options.claret,
    limits: options.admission_limits ?? ADMISSION_LIMITS,
    refusal: new Refusal(problems.problem('overloaded'), SECURITY_HEADERS, BODY_BYTES_MAX),
    warn: (facts, message) => app.log.warn(facts, message),
  });
  const app: App = Fastify({
    serverFactory: admission.serverFactory,
    logger: options.logger ?? false,
    bodyLimit: BODY_BYTES_MAX,
    ...connectionOptions(),
    trustProxy: options.proxies === undefined || options.proxies.length === 0 ? false : [...options.proxies],
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    schemaController: { compilersFactory: onFirstUse },
    // No type coercion: "12" is not a number, and unknown fields are refused.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    // Hooks do not run for a malformed URL, so the headers are added here.
    frameworkErrors: (error, request, reply) => problems.handle(error, request, reply.headers(headersOf(request))),
  }).withTypeProvider<TypeBoxTypeProvider>();
  closeSilentConnections(app.server);
  closePromptly(app);

  await app.register(cookie);
  app.setErrorHandler(problems.handle);
  app.removeContentTypeParser('text/plain'); // only JSON is accepted
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
      applyDeadlines(api as App, options.claret);
      reportCost(api as App);
      conditionsRoute(api as App);
      routes(api as App);
    },
    { prefix: API_PREFIX },
  );
  await app.register(
    async (open) => {
      applyDeadlines(open as App, options.claret);
      resources?.(publicResources(open as App, { behind_proxies: options.proxies !== undefined && options.proxies.length > 0 }));
    },
    { prefix: PUBLIC_PREFIX },
  );
  healthRoutes(app, options.claret, admission);
  await servePages(app, problems, options.web_root ?? null);
  return app;
}

// An answer depends on the visitor and on the moment, so no cache may keep it, except for files (pages.ts) and public resources (public.ts).
const HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' };
const TLS_HEADERS = { ...TLS_SECURITY_HEADERS, 'cache-control': 'no-store' };

const headersOf = (request: FastifyRequest) => (request.protocol === 'https' ? TLS_HEADERS : HEADERS);

function healthRoutes(app: App, claret: Claret, admission: AdmissionServer): void {
  app.get('/livez', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const { shards } = claret.status;
    const ready = shards.every((shard) => shard.state === 'live');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable', shards, gate: admission.state });
  });
}
