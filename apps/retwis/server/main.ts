// Starts one app server of the timelines site.
//
//   node apps/retwis/server/main.ts --port 7420 --gateways 127.0.0.1:7401,127.0.0.1:7403
//
// Its flags are those of every site's server: apps/site/serve.ts.
import { join } from 'node:path';

import { serve } from '@claret/site/serve.ts';

import { buildApp } from './app.ts';

await serve({
  name: 'timelines',
  port: 7420,
  web_root: join(import.meta.dirname, '..', 'web', 'dist'),
  build: buildApp,
});
