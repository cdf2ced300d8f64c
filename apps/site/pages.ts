// The built site: its files, and index.html for every path that the site itself routes. The files are stored compressed as well
// (ui/kit/precompress.ts): a browser gets the encoding that it accepts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fastifyStatic from '@fastify/static';

import { pagePolicy } from './headers.ts';
import { API_PREFIX, PUBLIC_PREFIX, type App } from './http.ts';
import type { Problems } from './problem.ts';

// Under these prefixes a missing file is an error, not a page of the site.
const NO_PAGES = [`${API_PREFIX}/`, `${PUBLIC_PREFIX}/`, '/assets/'];
const YEAR_S = 365 * 24 * 60 * 60;

export async function servePages(app: App, problems: Problems<string>, web_root: string | null): Promise<void> {
  const built = web_root !== null && existsSync(join(web_root, 'index.html'));
  if (built) {
    const policy = pagePolicy(readFileSync(join(web_root, 'index.html'), 'utf8'));
    await app.register(fastifyStatic, {
      root: web_root,
      cacheControl: false,
      preCompressed: true,
      dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        // Names under /assets/ contain a hash of the content.
        const forGood = path.startsWith(join(web_root, 'assets'));
        reply.header('cache-control', forGood ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
        if (path.startsWith(join(web_root, 'index.html'))) reply.header('content-security-policy', policy);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const page = reads && !NO_PAGES.some((prefix) => request.url.startsWith(prefix));
    if (built && page) return reply.sendFile('index.html');
    const detail = 'The site is not built; its API is under /api.';
    return problems.send(reply, 'unknown_route', page ? { detail } : {});
  });
}
