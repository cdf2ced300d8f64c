// One app server of a peer. Prints its URL once it serves; ends on SIGTERM, or with the process that started it.
//
//   node loadtest/peers/main.ts --store redis --address redis://127.0.0.1:6379 --port 0
//   node loadtest/peers/main.ts --store postgres --address postgres://… --port 0 --isolation "read committed"
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';

import { buildApp } from './app.ts';
import { connectTo, type StoreAddress } from './stores.ts';

/** as the site's: connections waiting to be accepted */
const BACKLOG = 4_096;

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'redis' },
    address: { type: 'string', default: '' },
    port: { type: 'string', default: '0' },
    isolation: { type: 'string', default: 'serializable' },
  },
});
const app = await buildApp(await connectTo(values as StoreAddress));
const close = (): void => void app.close().then(() => process.exit(0));
process.once('SIGTERM', close);
process.once('SIGINT', () => undefined); // the starter's terminal sends it to all; the starter ends us
process.stdin.once('end', close).resume();
await app.listen({ host: '127.0.0.1', port: Number(values.port), backlog: BACKLOG });
console.log(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
