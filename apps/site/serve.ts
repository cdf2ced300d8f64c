// Runs one app server of a site until it is stopped. It keeps no state: any number of servers may run beside each other, and start and stop
// at any time.
//
//   --port N, --host H (127.0.0.1), --gateways A:P,B:P (127.0.0.1:7401), --dashboard URL (none), --log-level L (info)
//   --proxies A,B/24 (none): trusted proxies, which may state where visitors come from (docs/security.md)
//   --registrations-per-hour N (100): per address
//
// and the whole numbers that the site adds. CLARET_TOKEN in the environment: the cluster's token, if it has one.
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';

import { connect, type Claret } from '@claret/client';

import type { SiteOptions } from './app.ts';
import { REGISTRATIONS_PER_HOUR } from './auth/registration.ts';
import type { App } from './http.ts';
import { ADMISSION_LIMITS, SOCKETS } from './overload/limits.ts';

const CLOSE_TIMEOUT_MS = 10_000;
// A visitor is better served by "busy" than by a longer wait for a transaction and its retries.
const TRANSACTION_TIMEOUT_MS = 5_000;

type NumberFlag = { default: number; min: number; max: number };

export type ServeOptions<Flag extends string> = {
  /** the client name that the gateways show */
  name: string;
  /** default of --port */
  port: number;
  web_root: string;
  /** --<flag> N */
  numbers?: Readonly<Record<Flag, NumberFlag>>;
  build: (options: Required<SiteOptions>, numbers: Readonly<Record<Flag, number>>) => Promise<App>;
  /** called once the server listens; the result is stopped before the server */
  started?: (claret: Claret, app: App) => { stop: () => Promise<void> };
};

export async function serve<Flag extends string = never>(site: ServeOptions<Flag>): Promise<void> {
  const flags = readFlags(site);
  const token = process.env['CLARET_TOKEN'] ?? '';
  const claret = await connect({ addresses: flags.gateways, token, name: `${site.name}:${flags.port}`, timeoutMs: TRANSACTION_TIMEOUT_MS });
  const { dashboard_url, proxies, registrations_per_hour, logger } = flags;
  const options = {
    claret,
    web_root: site.web_root,
    dashboard_url,
    proxies,
    registrations_per_hour,
    logger,
    admission_limits: ADMISSION_LIMITS,
  };
  const app = await site.build(options, flags.numbers);
  let beside: { stop: () => Promise<void> } | null = null;

  let closing = false;
  async function close(code: number): Promise<void> {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(code || 1), CLOSE_TIMEOUT_MS).unref();
    await beside?.stop();
    await app.close();
    await claret.close();
    process.exit(code);
  }
  process.on('SIGINT', () => void close(0));
  process.on('SIGTERM', () => void close(0));
  if (process.env['CLARET_EXIT_WITH_PARENT'] === '1') {
    process.stdin
      .on('end', () => void close(0))
      .on('error', () => void close(0))
      .resume();
  }

  try {
    await app.listen({ host: flags.host, port: flags.port, backlog: SOCKETS.backlog });
    beside = site.started?.(claret, app) ?? null;
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    console.error(taken ? `port ${flags.port} of ${flags.host} is taken` : error);
    await close(1);
  }
}

function readFlags<Flag extends string>(site: ServeOptions<Flag>) {
  const numberFlags: Record<string, NumberFlag> = {
    ...site.numbers,
    port: { default: site.port, min: 0, max: 65_535 },
    'registrations-per-hour': { default: REGISTRATIONS_PER_HOUR, min: 1, max: 1_000_000 },
  };
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    options: {
      host: text('127.0.0.1'),
      gateways: text('127.0.0.1:7401'),
      dashboard: { type: 'string' },
      proxies: text(''),
      'log-level': text('info'),
      ...Object.fromEntries(Object.entries(numberFlags).map(([name, flag]) => [name, text(String(flag.default))])),
    },
  });
  const given = values as Record<string, string | undefined>;
  const {
    port,
    'registrations-per-hour': registrations_per_hour,
    ...numbers
  } = Object.fromEntries(Object.entries(numberFlags).map(([name, flag]) => [name, wholeNumber(name, given[name], flag)]));
  return {
    port: Number(port),
    host: values.host,
    gateways: listed(values.gateways),
    dashboard_url: webAddress(values.dashboard ?? null),
    proxies: listed(values.proxies).map(addressRange),
    registrations_per_hour: Number(registrations_per_hour),
    logger: { level: values['log-level'] },
    numbers: numbers as Record<Flag, number>,
  };
}

const listed = (value: string): string[] => value.split(',').filter((part) => part !== '');

function wholeNumber(name: string, value: string | undefined, { min, max }: NumberFlag): number {
  const number = value === '' ? NaN : Number(value);
  return Number.isInteger(number) && number >= min && number <= max
    ? number
    : refuse(`--${name} must be a whole number from ${min} to ${max}, not ${value}`);
}

// A page shows the address as a link, so it must not be a script.
function webAddress(value: string | null): string | null {
  if (value === null || /^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value;
  return refuse(`--dashboard must be an address like http://127.0.0.1:7400/, not ${value}`);
}

function addressRange(value: string): string {
  const [address = '', bits, ...more] = value.split('/');
  const bits_max = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bits_max)))
    return value;
  return refuse(`--proxies must be addresses or ranges like 10.0.0.7,192.168.0.0/24, not ${value}`);
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}
