// Starts one app server of the auction site.
//
//   node apps/rubis/server/main.ts --port 7410 --gateways 127.0.0.1:7401,127.0.0.1:7403
//
// --host (127.0.0.1), --log-level (info), --auction-seconds-min (60). It keeps nothing of its own: any number of them
// may run beside each other, and come and go.
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { connect } from '@claret/client';

import { buildApp } from './app.ts';
import { Closer } from './closer.ts';

const CLOSE_TIMEOUT_MS = 10_000;
// A visitor rather hears "busy" than waits longer for a transaction and its retries.
const TRANSACTION_TIMEOUT_MS = 5_000;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '7410' },
    host: { type: 'string', default: '127.0.0.1' },
    gateways: { type: 'string', default: '127.0.0.1:7401' },
    'log-level': { type: 'string', default: 'info' },
    'auction-seconds-min': { type: 'string', default: '60' },
  },
});

function integerFlag(name: 'port' | 'auction-seconds-min', min: number, max: number): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  console.error(`--${name} must be a whole number from ${min} to ${max}, not ${values[name]}`);
  process.exit(2);
}

const port = integerFlag('port', 0, 65_535);
const auction_seconds_min = integerFlag('auction-seconds-min', 1, 60);
const addresses = values.gateways.split(',').filter((address) => address !== '');

const claret = await connect({ addresses, name: `auctions:${port}`, timeoutMs: TRANSACTION_TIMEOUT_MS });
const app = await buildApp({
  claret,
  web_root: join(import.meta.dirname, '..', 'web', 'dist'),
  auction_seconds_min,
  logger: { level: values['log-level'] },
});
let closer: Closer | null = null;

let closing = false;
async function close(code: number): Promise<void> {
  if (closing) return;
  closing = true;
  setTimeout(() => process.exit(code || 1), CLOSE_TIMEOUT_MS).unref();
  await closer?.stop();
  await app.close();
  await claret.close();
  process.exit(code);
}

process.on('SIGINT', () => void close(0));
process.on('SIGTERM', () => void close(0));
if (process.env['CLARET_EXIT_WITH_PARENT'] === '1') {
  process.stdin.on('end', () => void close(0)).on('error', () => void close(0)).resume();
}

try {
  await app.listen({ host: values.host, port });
  closer = new Closer(claret, {
    onClosed: (item_id, { winner, final_price_cents }) =>
      app.log.info({ item_id, winner: winner?.id ?? null, final_price_cents }, 'auction closed'),
    onError: (item_id, error) => app.log.warn({ item_id, err: error }, 'auction not closed yet'),
  });
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(taken ? `port ${port} of ${values.host} is taken` : error);
  await close(1);
}
