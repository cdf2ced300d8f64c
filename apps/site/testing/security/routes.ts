// For tests: the routes that a site registered, so that a table of routes cannot miss one.
import { channel } from 'node:diagnostics_channel';

import type { App } from '../../http.ts';

/** The app and its routes that change something, such as "POST /api/items/:item_id/bids". */
export async function writeRoutesOf(build: () => Promise<App>): Promise<{ app: App; routes: string[] }> {
  const routes: string[] = [];
  const fastify = channel('fastify.initialization');
  const listen = (message: unknown): void => {
    const { fastify: made } = message as { fastify: App };
    made.addHook('onRoute', ({ method, url }) => {
      const changing = [method].flat().filter((one) => !['GET', 'HEAD', 'OPTIONS'].includes(one));
      routes.push(...changing.map((one) => `${one} ${url}`));
    });
  };
  fastify.subscribe(listen);
  try {
    return { app: await build(), routes: [...new Set(routes)].toSorted() };
  } finally {
    fastify.unsubscribe(listen);
  }
}
