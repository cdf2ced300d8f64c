// The driver of a load spike: a process that puts load on a running cluster for a limited time and then exits.
//
//   node loadtest/load/spike/main.ts --addresses 127.0.0.1:7401,127.0.0.1:7403 --spike bid-spike --seconds 30 --clients 128
//
// It reports on standard output, a JSON object per line. `state` is preparing; running, once a second, with the figures of that
// second; checking, once the load is over; and ended, with the total figures, `compared` and `mismatches`, or failed, with `message`. It
// stops early when standard input closes, or on SIGTERM.

import { getPriority, setPriority } from 'node:os';
import { connect, type Claret } from '@claret/client';
import { readFlags } from '../../kit/arguments.ts';
import { randomFrom } from '../../kit/random.ts';
import { WrongUse } from '../../kit/wrong-use.ts';
import { RunningCount } from './running-count.ts';
import { runLoad, type Figures } from './load.ts';
import type { Checked, Spike } from './spike.ts';
import { SENT_TOGETHER, SPIKES, type SpikeName } from './spikes.ts';

const SECONDS_MAX = 120;
const CLIENTS_MAX = 384;
const ALPHA_MAX = 2;
/** A transaction is given up after this time, not after a number of attempts. */
const TRANSACTION_MS = 10_000;
const ATTEMPTS_MAX = 1_000_000;
/** The time limit for transactions in flight after the load. */
const GRACE_MS = 2_000;
/** The time limit for the check. */
const CHECKED_WITHIN_MS = 20_000;
/** The time limit for everything after a stop. */
const STOPPED_WITHIN_MS = 5_000;
/** A low priority: the load uses the CPU that others leave, so that sites and gateways stay usable. */
const NICENESS = 5;
const NICENESS_MAX = 19;

const options = readFlags(
  {
    addresses: { type: 'string', default: '127.0.0.1:7401' },
    spike: { type: 'string', default: 'bid-spike' },
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '128' },
    alpha: { type: 'string', default: '1' },
    update: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
  },
  { spike: Object.keys(SPIKES) },
  (values) => {
    const inRange = (name: 'seconds' | 'clients' | 'alpha' | 'update' | 'seed', least: number, most: number, whole = false) => {
      const value = Number(values[name]);
      if (value >= least && value <= most && (!whole || Number.isInteger(value))) return;
      throw new WrongUse(`--${name} takes ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${values[name]}"`);
    };
    inRange('seconds', 1, SECONDS_MAX);
    inRange('clients', 1, CLIENTS_MAX, true);
    inRange('alpha', 0, ALPHA_MAX);
    inRange('update', 0, 1);
    inRange('seed', 0, 2 ** 32 - 1, true);
  },
);

/** the cluster's token, empty for none */
const TOKEN = process.env['CLARET_TOKEN'] ?? '';
const addresses = options.addresses.split(',').filter((address) => address !== '');
const name = options.spike as SpikeName;
const [seconds, clients, alpha, update, seed] = [options.seconds, options.clients, options.alpha, options.update, options.seed].map(
  Number,
) as [number, number, number, number, number];

type State = 'preparing' | 'running' | 'checking' | 'ended' | 'failed';
const say = (state: State, more: object = {}) => void process.stdout.write(`${JSON.stringify({ state, spike: name, ...more })}\n`);

const stop = new AbortController();
process.stdin.resume();
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => stop.abort());
process.stdout.on('error', () => stop.abort());
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOPPED_WITHIN_MS).unref());

async function drive(): Promise<void> {
  setPriority(Math.min(NICENESS_MAX, getPriority() + NICENESS));
  // For preparation and checks. The load has its own client, which usually sends operations one by one, as in the paper.
  const claret = await connect({ addresses, token: TOKEN, name: 'spike', timeoutMs: TRANSACTION_MS });
  let loader: Claret | undefined;
  try {
    loader = await connect({
      addresses,
      token: TOKEN,
      name: `spike:${name}`,
      timeoutMs: TRANSACTION_MS,
      attemptsMax: ATTEMPTS_MAX,
      oneAtATime: !SENT_TOGETHER.has(name),
    });
    say('preparing');
    const make = await SPIKES[name]();
    const spike = await make(claret, { seconds, clients, alpha, update, random: randomFrom(seed) });
    const count = new RunningCount(claret, spike);
    const figures = await load(loader, spike, count);
    await count.end();
    const { mismatches, ...compared } = await within(CHECKED_WITHIN_MS, check(claret, spike));
    say('ended', { place: spike.page, ...figures, stopped: stop.signal.aborted, compared, mismatches });
  } finally {
    await Promise.all([claret.close(0), loader?.close(0)]);
  }
}

/** Resolves when all transactions have ended: those that take too long are cancelled. */
async function load(loader: Claret, spike: Spike, count: RunningCount): Promise<Figures> {
  const { page: place } = spike;
  let last: Figures | undefined;
  return runLoad(loader, () => spike.run(loader), {
    clients,
    seconds,
    stop: stop.signal,
    tell: (figures) => say('running', { place, compared: count.newest, ...(last = figures) }),
    over: () => {
      say('checking', { place, ...last });
      setTimeout(() => void loader.close(0), GRACE_MS).unref();
    },
  });
}

async function check(claret: Claret, spike: Spike): Promise<Checked> {
  const checked = await spike.check(claret);
  await spike.clearUp(claret);
  return checked;
}

/** Rejects if the work takes longer. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The check of what is stored took longer than ${ms / 1000} s.`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

try {
  await drive();
  process.exit(0);
} catch (error) {
  console.error(error);
  say('failed', { message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
