// Starts the app, and ends it in order on Ctrl-C or SIGTERM. Settings, with their defaults:
//
//   CLARET_GATEWAYS  127.0.0.1:7401  host:port of the gRPC of any gateways, separated by commas; the client learns the others
//   CLARET_TOKEN     (none)          the cluster's token, if it has one
//   HOST, PORT       127.0.0.1, 7440
//   PROXIES          (none)          addresses of trusted proxies, separated by commas
//   LOG_LEVEL        warn
import { ClaretError, connect } from '@claret/client';

import { buildApp } from './app.ts';

const {
  CLARET_GATEWAYS = '127.0.0.1:7401',
  CLARET_TOKEN = '',
  HOST = '127.0.0.1',
  PORT = '7440',
  PROXIES = '',
  LOG_LEVEL = 'warn',
} = process.env;
const listed = (text: string) => text.split(',').filter((part) => part !== '');
const fail = (why: string): never => {
  console.error(why);
  process.exit(1);
};

// A person is better served by "busy" than by a longer wait.
const claret = await connect({ addresses: listed(CLARET_GATEWAYS), token: CLARET_TOKEN, name: `poll:${PORT}`, timeoutMs: 2_000 }).catch(
  (error: unknown) => fail(error instanceof ClaretError ? error.message : String(error)),
);
const app = await buildApp(claret, { proxies: listed(PROXIES), logLevel: LOG_LEVEL });

async function stop(): Promise<void> {
  await app.close();
  await claret.close();
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());

const url = await app.listen({ host: HOST, port: Number(PORT) }).catch((error: Error) => fail(error.message));
console.log(`The poll is at ${url}`);
