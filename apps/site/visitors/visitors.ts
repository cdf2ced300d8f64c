// The visitors of a demo site, so that something happens while a person looks: now and then one of the data set's people does something,
// through the site's own transactions. `npm start` runs them (--visitors); tests and load tests do not.
//
//   --gateways A:P,B:P (127.0.0.1:7401), --seed N (1), --every-ms N (default: the site's)
//   CLARET_TOKEN in the environment: the cluster's token, if it has one
//
// They keep no state, and end on SIGTERM or with the process that started them (CLARET_EXIT_WITH_PARENT=1).
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { connect, type Claret } from '@claret/client';

import { Random } from '../data/random.ts';

/** the bounds of a pause, as multiples of the mean */
const SHORTEST = 0.2;
const LONGEST = 6;
// A busy site gets no further load from them.
const AFTER_FAILURE_MS = 30_000;
const TRANSACTION_TIMEOUT_MS = 5_000;

/** One visitor does one thing, or finds nothing to do. */
export type Act = (random: Random) => Promise<void>;

export type Visitors = {
  /** the client name that the gateways show */
  name: string;
  /** mean time between two actions */
  every_ms: number;
  /** Reads the data they need. Null: the site has nothing for them, so the program ends. */
  open: (claret: Claret, random: Random) => Promise<Act | null>;
};

/** The whole program; ends on a signal, and at once if `open` gives null. */
export async function runVisitors(visitors: Visitors): Promise<void> {
  const { gateways, seed, every_ms } = readFlags(visitors.every_ms);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  if (process.env['CLARET_EXIT_WITH_PARENT'] === '1') process.stdin.on('end', end).on('error', end).resume();
  const claret = await connect({
    addresses: gateways,
    token: process.env['CLARET_TOKEN'] ?? '',
    name: visitors.name,
    timeoutMs: TRANSACTION_TIMEOUT_MS,
  });
  await claret.clock.ready();
  const random = new Random(seed, performance.timeOrigin >>> 0); // not the same actions again after a restart
  const act = await visitors.open(claret, random);
  if (act !== null) await actRepeatedly(act, every_ms, random, stop.signal);
  await claret.close();
  process.exit(0);
}

/** until `signal` aborts */
export async function actRepeatedly(act: Act, every_ms: number, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pause_ms = every_ms * Math.min(LONGEST, Math.max(SHORTEST, random.exponential(1)));
    if (!(await rest(pause_ms, signal))) return;
    try {
      await act(random);
    } catch {
      await rest(AFTER_FAILURE_MS, signal);
    }
  }
}

/** False: aborted in the meantime. */
function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}

function readFlags(every_ms: number): { gateways: string[]; seed: number; every_ms: number } {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const options = { gateways: text('127.0.0.1:7401'), seed: text('1'), 'every-ms': text(String(every_ms)) };
  const { values } = parseArgs({ options });
  return {
    gateways: values.gateways.split(',').filter((address) => address !== ''),
    seed: wholeNumber('--seed', values.seed),
    every_ms: wholeNumber('--every-ms', values['every-ms']),
  };
}

function wholeNumber(flag: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  console.error(`${flag} must be a whole number of at most nine digits, not "${value}"`);
  process.exit(2);
}
