// The driver of a spike: a process that storms a running cluster for a bounded time and ends by itself.
//
//   node loadtest/spike/main.ts --addresses 127.0.0.1:7401,127.0.0.1:7403 --spike bid-storm --seconds 30 --clients 128
//
// What it does it says on standard output, a JSON object a line: `state` is preparing, running (once a second, with the
// figures of that second), then ended (with the figures of all and with `mismatches`) or failed (with `message`). It
// stops sooner when standard input closes, or on SIGTERM: who started it is gone, or wants no more of it.

import { getPriority, setPriority } from 'node:os';
import { connect, type Claret } from '@claret/client';
import { readFlags } from '../bench/kit/arguments.ts';
import { randomFrom } from '../workloads/random.ts';
import { WrongUse } from '../wrong-use.ts';
import { runCrowd } from './crowd.ts';
import { SPIKES, type Place, type SpikeName } from './spike.ts';

const SECONDS_MAX = 120;
const CLIENTS_MAX = 384;
const ALPHA_MAX = 2;
/** A transaction that keeps losing is given up after this, and not after so many attempts. */
const TRANSACTION_MS = 10_000;
const ATTEMPTS_MAX = 1_000_000;
/** Once stopped, transactions under way may end for so long, and everything else too. */
const GRACE_MS = 2_000;
const STOPPED_WITHIN_MS = 5_000;
/** The storm takes the CPU that others leave it: sites and gateways stay usable. */
const NICENESS = 5;
const NICENESS_MAX = 19;

const options = readFlags(
  {
    addresses: { type: 'string', default: '127.0.0.1:7401' },
    spike: { type: 'string', default: 'bid-storm' },
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '128' },
    alpha: { type: 'string', default: '1' },
    update: { type: 'string', default: '0.5' },
    seed: { type: 'string', default: '1' },
  },
  { spike: Object.keys(SPIKES) },
  (values) => {
    const within = (name: 'seconds' | 'clients' | 'alpha' | 'update' | 'seed', least: number, most: number, whole = false) => {
      const value = Number(values[name]);
      if (value >= least && value <= most && (!whole || Number.isInteger(value))) return;
      throw new WrongUse(`--${name} takes ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, not "${values[name]}"`);
    };
    within('seconds', 1, SECONDS_MAX);
    within('clients', 1, CLIENTS_MAX, true);
    within('alpha', 0, ALPHA_MAX);
    within('update', 0, 1);
    within('seed', 0, 2 ** 32 - 1, true);
  },
);

/** the cluster's, empty for none */
const TOKEN = process.env['CLARET_TOKEN'] ?? '';
const addresses = options.addresses.split(',').filter((address) => address !== '');
const name = options.spike as SpikeName;
const [seconds, clients, alpha, update, seed] =
  [options.seconds, options.clients, options.alpha, options.update, options.seed].map(Number) as [number, number, number, number, number];

type State = 'preparing' | 'running' | 'ended' | 'failed';
const say = (state: State, more: object = {}) => void process.stdout.write(`${JSON.stringify({ state, spike: name, ...more })}\n`);

const stop = new AbortController();
process.stdin.resume();
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => stop.abort());
process.stdout.on('error', () => stop.abort());
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOPPED_WITHIN_MS).unref());

async function storm(): Promise<void> {
  setPriority(Math.min(NICENESS_MAX, getPriority() + NICENESS));
  // Prepares and checks; the crowd has a client of its own, whose operations go one at a time, as the paper's do.
  const claret = await connect({ addresses, token: TOKEN, name: 'spike', timeoutMs: TRANSACTION_MS });
  let crowd: Claret | undefined;
  try {
    crowd = await connect({ addresses, token: TOKEN, name: `spike:${name}`, timeoutMs: TRANSACTION_MS, attemptsMax: ATTEMPTS_MAX, oneAtATime: true });
    say('preparing');
    const make = await SPIKES[name]();
    const spike = await make(claret, { seconds, clients, alpha, update, random: randomFrom(seed) });
    const figures = await run(crowd, () => spike.run(crowd!), spike.place);
    const mismatches = await spike.mismatches(claret);
    await spike.clearUp(claret);
    say('ended', { place: spike.place, ...figures, stopped: stop.signal.aborted, mismatches });
  } finally {
    await Promise.all([claret.close(0), crowd?.close(0)]);
  }
}

/** Who is told to stop waits for transactions under way, but not for ever: then they are called off. */
async function run(crowd: Claret, one: () => Promise<void>, place: Place | null) {
  const callOff = () => setTimeout(() => void crowd.close(0), GRACE_MS).unref();
  const late = setTimeout(callOff, 1000 * seconds);
  stop.signal.addEventListener('abort', callOff);
  try {
    return await runCrowd(crowd, one, { clients, seconds, stop: stop.signal, tell: (figures) => say('running', { place, ...figures }) });
  } finally {
    clearTimeout(late);
  }
}

try {
  await storm();
  process.exit(0);
} catch (error) {
  console.error(error);
  say('failed', { message: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}
