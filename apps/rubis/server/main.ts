// Starts one app server of the auction site.
//
//   node apps/rubis/server/main.ts --port 7410 --gateways 127.0.0.1:7401,127.0.0.1:7403
//
// --auction-seconds-min (60), and the flags of every site's server: apps/site/serve.ts.
import { join } from 'node:path';

import { serve } from '@claret/site/serve.ts';

import { AUCTION_SECONDS_MIN, buildApp } from './app.ts';
import { Closer } from './closer.ts';

await serve({
  name: 'auctions',
  port: 7410,
  web_root: join(import.meta.dirname, '..', 'web', 'dist'),
  numbers: { 'auction-seconds-min': { default: AUCTION_SECONDS_MIN, min: 1, max: AUCTION_SECONDS_MIN } },
  build: (options, numbers) => buildApp({ ...options, auction_seconds_min: numbers['auction-seconds-min'] }),
  started: (claret, app) =>
    new Closer(claret, {
      onClosed: (item_id, { winner, final_price_cents }) =>
        app.log.info({ item_id, winner: winner?.id ?? null, final_price_cents }, 'auction closed'),
      onError: (item_id, error) => app.log.warn({ item_id, err: error }, 'auction not closed yet'),
    }),
});
