// Serves the built dashboard: its files, and index.html for every path that the page routes itself. The build also contains compressed
// files (ui/kit/precompress.ts), which browsers get that accept them. Without a dashboard, `/` redirects to the documentation.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { GatewayError } from '../errors.ts';
import { connectable } from './other-gateways.ts';
import type { OtherGateways } from './other-gateways.ts';
import type { RestServer } from './rest-server.ts';

const YEAR_S = 365 * 24 * 60 * 60;

const PAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
};

/** Unknown paths below these, and paths with a file extension, are errors instead of pages of the dashboard. */
const NO_PAGE = /^\/(?:v1|docs|assets)(?:\/|$)|\./;

/**
 * `dir`: empty for no dashboard. `methodsOf`: those that a path takes. `others`: absent in a cluster that is not replicated.
 */
export async function addDashboard(
  app: RestServer,
  dir: string,
  methodsOf: (path: string) => string[],
  others?: OtherGateways,
): Promise<void> {
  const root = resolve(dir);
  const built = dir !== '' && existsSync(join(root, 'index.html'));
  if (built) await serveFiles(app, root, others);
  else app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 302));
  if (dir !== '' && !built) app.log.warn({ dir }, 'there is no built dashboard to serve');
  app.setNotFoundHandler((request, reply) => {
    const [path] = request.url.split('?');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (built && reads && !NO_PAGE.test(path!)) return reply.sendFile('index.html');
    const methods = methodsOf(path!);
    if (methods.length === 0 || methods.includes(request.method))
      throw new GatewayError('route_not_found', `There is no ${request.method} ${path}.`);
    reply.header('allow', methods.join(', '));
    throw new GatewayError('method_not_allowed', `${path} does not take ${request.method}, but ${methods.join(', ')}.`);
  });
}

/** Allows only the inline scripts and styles that were built into the page. */
function contentPolicy(html: string): string {
  const hashes = (element: string) =>
    Array.from(html.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g')), ([, text]) => ` 'sha256-${sha256(text!)}'`).join('');
  return (
    `default-src 'self'; script-src 'self'${hashes('script')}; style-src 'self'${hashes('style')}; img-src 'self' data:; ` +
    "font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  );
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

async function serveFiles(app: RestServer, root: string, others: OtherGateways | undefined): Promise<void> {
  const policy = contentPolicy(readFileSync(join(root, 'index.html'), 'utf8'));
  await app.register(fastifyStatic, {
    root,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Files under assets/ have a hash in their name.
      const forGood = path.startsWith(join(root, 'assets'));
      const caching = forGood ? `public, max-age=${YEAR_S}, immutable` : 'no-cache';
      const connections = others === undefined ? '' : `; connect-src 'self' ${connectable(others).join(' ')}`;
      const headers = { ...PAGE_HEADERS, 'content-security-policy': `${policy}${connections}`, 'cache-control': caching };
      for (const [name, value] of Object.entries(headers)) reply.header(name, value);
    },
  });
}
