// The peers' app server: the auction site's main routes over an AuctionStore, with the site's paths, codes and shapes of answers
// (apps/rubis/server/API.md).
//
// As on the site: the session's cookie, the check for requests of other sites, security headers, compression, password hashes, validation and
// serialization by schemas, and event streams that skip states. A bid with an idempotency key happens once, for as long as its auction is kept.
//
// Not here: maxima (an auction is a plain English one: the price is the highest bid), reserves, Buy now, watch lists, comments and ratings,
// lists and search, limits on attempts, admission control, keys of requests other than bids, and on live streams anything but the items. A request that
// names a maximum above its amount, a reserve or a Buy now price is refused as `invalid_input`.
import cookie from '@fastify/cookie';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

import { comesFromThisSite, mayReadApi } from '../../apps/site/auth/origin.ts';
import { compressAnswers } from '../../apps/site/compression.ts';
import { closePromptly } from '../../apps/site/connections.ts';
import { SECURITY_HEADERS } from '../../apps/site/headers.ts';
import type { App } from '../../apps/site/http.ts';
import { auctionRoutes } from './auction-routes.ts';
import { liveRoute } from './live-route.ts';
import { pageRoute } from './page-route.ts';
import { peopleRoutes } from './people-routes.ts';
import { answerProblem, Refused } from './problems.ts';
import type { AuctionStore } from './store.ts';

const BODY_BYTES_MAX = 64 * 1024;
const HEADERS = { ...SECURITY_HEADERS, 'cache-control': 'no-store' };

export async function buildApp(store: AuctionStore): Promise<App> {
  const app: App = Fastify({
    logger: { level: 'error', stream: process.stderr },
    bodyLimit: BODY_BYTES_MAX,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  closePromptly(app);
  await app.register(cookie);
  app.setErrorHandler(answerProblem);
  app.setNotFoundHandler(() => {
    throw new Refused('unknown_route');
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    if (!comesFromThisSite(request)) throw new Refused('csrf_missing');
  });
  await app.register(
    async (api) => {
      api.addHook('onRequest', async (request) => {
        if (!mayReadApi(request)) throw new Refused('csrf_missing');
      });
      await compressAnswers(api as App);
      peopleRoutes(api as App, store);
      auctionRoutes(api as App, store);
      pageRoute(api as App, store);
      liveRoute(api as App, store);
    },
    { prefix: '/api' },
  );
  app.get('/readyz', async (_request, reply) => {
    const ready = await store.ping().then(
      () => true,
      () => false,
    );
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'unavailable' });
  });
  app.addHook('onClose', () => store.close());
  return app;
}
