// The built site: its files, and index.html for every address that the site itself routes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import fastifyStatic from '@fastify/static';

import { problemOf, sendProblem } from '../problem.ts';
import type { App } from '../services.ts';

const YEAR_S = 365 * 24 * 60 * 60;

export async function servePages(app: App, web_root: string | null): Promise<void> {
  const built = web_root !== null && existsSync(join(web_root, 'index.html'));
  if (built) {
    await app.register(fastifyStatic, {
      root: web_root,
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Files under /assets/ have a hash in their name.
        const forGood = path.startsWith(join(web_root, 'assets'));
        reply.header('cache-control', forGood ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const page = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/assets/');
    if (built && page) return reply.sendFile('index.html');
    if (page) return sendProblem(reply, problemOf('unknown_route', { detail: 'The site is not built; its API is under /api.' }));
    return sendProblem(reply, problemOf('unknown_route'));
  });
}
