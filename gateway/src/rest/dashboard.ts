// The built dashboard: its files, and index.html for every address that the page itself routes. Without one, `/` leads to
// the documentation.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { GatewayError } from '../errors.ts';
import type { RestServer } from './server.ts';

const YEAR_S = 365 * 24 * 60 * 60;

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** Of these, and of what looks like a file, what does not exist is an error and not a page of the dashboard. */
const NO_PAGE = /^\/(?:v1|docs|assets)(?:\/|$)|\./;

/** `dir`: empty for none. */
export async function addDashboard(app: RestServer, dir: string): Promise<void> {
  const root = resolve(dir);
  const built = dir !== '' && existsSync(join(root, 'index.html'));
  if (built) await serveFiles(app, root);
  else app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 302));
  if (dir !== '' && !built) app.log.warn({ dir }, 'there is no built dashboard to serve');
  app.setNotFoundHandler((request, reply) => {
    const [path] = request.url.split('?');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (built && reads && !NO_PAGE.test(path!)) return reply.sendFile('index.html');
    throw new GatewayError('route_not_found', `There is no ${request.method} ${path}.`);
  });
}

async function serveFiles(app: RestServer, root: string): Promise<void> {
  await app.register(fastifyStatic, {
    root,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // Files under assets/ have a hash in their name.
      const forGood = path.startsWith(join(root, 'assets'));
      const caching = forGood ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
      for (const [name, value] of Object.entries({ ...PAGE_HEADERS, 'cache-control': caching })) reply.header(name, value);
    },
  });
}
