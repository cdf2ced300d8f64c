// npm start: the demo. Runs gateways, both sites' data and app servers, until Ctrl-C. A process that dies is started again.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster.js';
import { ROOT, inProject } from '../paths.js';
import { backWords, deathWords, lastWords } from '../run/news.js';
import { isTaken, portPlan } from '../run/ports.js';
import { runTool } from '../run/process.js';
import { Problem } from '../run/problem.js';
import { seconds, step } from '../run/progress.js';
import { indented } from '../run/service.js';
import { isStopping, onShutdown, shutdown } from '../run/shutdown.js';
import { node24 } from '../setup/node24.js';
import { setUpNative, setUpNode, setUpPages } from '../setup/setup.js';

const PARENT_CHECK_MS = 1_000;
const QUICK_STOP_MS = 2_000;
const SHARDS_MAX = 16;
/** With more, the next port would be that of the timelines. */
const AUCTION_SERVERS_MAX = 10;
/** With more, the next port would be that of the sixth gateway. */
const TIMELINE_SERVERS_MAX = 10;
/** Default number of people on the timelines, 2^scale: for a small data set, or the paper's. */
const GRAPH_SCALES = { small: 10, claret: 16 };

/** flag → [default, meaning, smallest, greatest]; the variable CLARET_SOME_FLAG sets `--some-flag` too */
const NUMBERS = {
  'gateway-port': [7400, 'REST port of the first gateway; gRPC is one above, further shards follow', 1, 65_400],
  'auctions-port': [7410, 'port of the first auction server; further servers follow', 1, 65_500],
  'timelines-port': [7420, 'port of the first timelines server; further servers follow', 1, 65_500],
  shards: [2, 'gateways, each one shard', 1, SHARDS_MAX],
  'auction-servers': [1, 'app servers of the auctions', 1, AUCTION_SERVERS_MAX],
  'timeline-servers': [1, 'app servers of the timelines', 1, TIMELINE_SERVERS_MAX],
  'graph-scale': [undefined, 'people on the timelines, 2^scale (10, with the profile claret 16)', 4, 18],
  seed: [undefined, 'of the data sets', 0, 0xffff_ffff],
};
const WORDS = {
  'data-dir': ['.data', 'folder of the gateways: what they keep is there at the next start', /./],
  profile: ['small', 'data sets: small | claret', /^(small|claret)$/],
  durability: [
    'sync',
    'what a crash may take: sync (nothing acknowledged) | async (the last second) | none (all: data lives in memory)',
    /^(sync|async|none)$/,
  ],
  visitors: ['on', 'quiet visitors who bid and post now and then: on | off', /^(on|off)$/],
  'log-level': ['warn', 'of all servers: debug | info | warn | error | silent', /^(debug|info|warn|error|silent)$/],
};

const variableOf = (flag) => `CLARET_${flag.toUpperCase().replaceAll('-', '_')}`;

export const usage = () =>
  ['npm start -- [flags]', '']
    .concat(
      Object.entries({ ...NUMBERS, ...WORDS }).map(
        ([flag, [standard, meaning]]) =>
          `  --${flag.padEnd(17)} ${meaning}${standard === undefined ? '' : ` (${standard})`}, or ${variableOf(flag)}`,
      ),
      `  --${'fresh'.padEnd(17)} forget what was kept: start with new data sets`,
    )
    .join('\n');

/**
 * @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, number | string | boolean | undefined>} by flag
 */
export function readOptions(args, env) {
  const flags = Object.keys({ ...NUMBERS, ...WORDS });
  let values;
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' }]));
    options.fresh = { type: 'boolean' };
    ({ values } = parseArgs({ args, options: /** @type {any} */ (options) }));
  } catch (error) {
    throw new Problem(`${error.message.split('\n')[0]}\n\n${usage()}`);
  }
  const given = (flag) => values[flag] ?? env[variableOf(flag)];
  const read = { fresh: values.fresh === true };
  for (const [flag, [standard, , least, most]] of Object.entries(NUMBERS)) {
    const text = given(flag);
    const value = text === undefined ? standard : /^\d+$/.test(text) ? Number(text) : NaN;
    if (value !== undefined && !(value >= least && value <= most)) {
      throw new Problem(`--${flag} takes a whole number from ${least} to ${most}, not "${text}".`);
    }
    read[flag] = value;
  }
  for (const [flag, [standard, meaning, pattern]] of Object.entries(WORDS)) {
    read[flag] = given(flag) ?? standard;
    if (!pattern.test(read[flag])) throw new Problem(`--${flag}: ${meaning}; not "${read[flag]}".`);
  }
  return read;
}

/** Every port with its owner and the flag that moves it. */
function claims(plan) {
  const gateways = plan.gateways.flatMap(({ rest, grpc }, shard) => [
    { port: rest, owner: `REST of gateway ${shard}`, flag: 'gateway-port' },
    { port: grpc, owner: `gRPC of gateway ${shard}`, flag: 'gateway-port' },
  ]);
  const auctions = plan.auctions.map((port, index) => ({ port, owner: `auction server ${index}`, flag: 'auctions-port' }));
  const timelines = plan.timelines.map((port, index) => ({ port, owner: `timelines server ${index}`, flag: 'timelines-port' }));
  return [...gateways, ...auctions, ...timelines];
}

async function checkPorts(plan) {
  const owners = new Map();
  for (const { port, owner, flag } of claims(plan)) {
    const advice = `Choose another with --${flag} (or ${variableOf(flag)}).`;
    if (owners.has(port)) throw new Problem(`Port ${port} would serve both ${owners.get(port)} and ${owner}. ${advice}`);
    owners.set(port, owner);
    if (await isTaken(port)) throw new Problem(`Port ${port} (${owner}) is taken by another process. ${advice}`);
  }
}

/** npm forwards signals, but an npm that was killed cannot. */
function stopWithoutNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm && !isStopping()) process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS).unref();
}

/** Gateways take a last checkpoint, which takes time if there is much to write. */
async function stopping(cluster) {
  const patience = setTimeout(() => {
    console.log('\nStopping: gateways write what has changed. Ctrl-C again ends them at once; what was committed is safe either way.');
  }, QUICK_STOP_MS);
  await cluster.stop();
  clearTimeout(patience);
}

/** @param {{records: number, entries: number, seconds: number}} restored */
const restoredLine = ({ records, entries, seconds: took }) => {
  const rate = took > 0 ? ` (${number(records / took)} records/s)` : '';
  return `  Restored ${number(records)} records and ${number(entries)} log entries in ${seconds(1000 * took)}${rate}.`;
};
const number = (value) => Math.round(value).toLocaleString('en');

function announce(cluster, kept) {
  const lines = ['', 'Claret is up.', '', `  dashboard  ${cluster.dashboard}`];
  for (const { url } of cluster.auctions) lines.push(`  auctions   ${url}`);
  for (const { url } of cluster.timelines) lines.push(`  timelines  ${url}`);
  cluster.gateways.forEach(({ rest, grpc }, shard) => {
    lines.push(`  gateway ${shard}  ${rest}  (API at ${rest}/docs, gRPC at ${grpc})`);
  });
  lines.push('');
  if (cluster.restored.records + cluster.restored.entries > 0) lines.push(restoredLine(cluster.restored));
  lines.push(`  ${kept} Ctrl-C stops everything.`, '');
  console.log(lines.join('\n'));
}

/** The servers' output and what happens to them, held back until the demo is announced; a failed start reports it anyway. */
class ServerLog {
  #early = [];
  #open = false;
  say = (text) => (this.#open ? console.log(text) : this.#early.push(text));
  line = (server, text) => this.say(`[${server}] ${text}`);
  open() {
    this.#open = true;
    for (const text of this.#early) console.log(text);
  }
}

/** Deletes the gateways' shard folders, and no other files in the folder; refuses if gateways are running on it. @param {string} dataDir */
export async function forget(dataDir) {
  if (!existsSync(dataDir)) return;
  const folders = readdirSync(dataDir)
    .filter((name) => /^shard-\d+$/.test(name))
    .map((name) => join(dataDir, name));
  const kept = folders.filter((folder) => existsSync(join(folder, 'incarnation')));
  if (kept.length === 0) return;
  const { code, output } = await runTool(node24(), [inProject('gateway', 'src', 'store', 'forget-main.ts'), ...kept]);
  if (code !== 0) throw new Problem(output);
}

/** Adds advice to the error of a gateway that cannot start on the existing data. */
function withAdvice(error) {
  if (!(error instanceof Problem) || !/data set|data director|the log/.test(error.message) || / is in use by /.test(error.message))
    return error;
  return new Problem(`${error.message}\n\nnpm start -- --fresh forgets what was kept; --data-dir names another folder.`);
}

async function run(options, plan) {
  const log = new ServerLog();
  const ours = Object.fromEntries(Object.keys({ ...NUMBERS, ...WORDS }).map((flag) => [variableOf(flag), undefined]));
  let giveUp;
  const givenUp = new Promise((tell) => {
    giveUp = tell;
  });
  const onDeath = (death) => (death.againInMs === null ? giveUp(death) : log.say(deathWords(death)));
  const dataDir = resolve(ROOT, options['data-dir']);
  if (options.fresh) await forget(dataDir);
  const cluster = await step('Starting', (show) =>
    startCluster({
      ports: plan,
      shards: options.shards,
      auctionServers: options['auction-servers'],
      timelineServers: options['timeline-servers'],
      dashboard: true,
      visitors: options.visitors === 'on',
      profile: options.profile,
      graphScale: options['graph-scale'] ?? GRAPH_SCALES[options.profile],
      seed: options.seed,
      logLevel: options['log-level'],
      durability: options.durability,
      dataDir,
      env: ours,
      restarts: {},
      onDeath,
      onBack: (back) => log.say(backWords(back, options.durability)),
      onLine: log.line,
      onProgress: (done, total, what) => show.amount(done, total, `data: ${what}`),
      onRestoring: (done, total, what) => show.amount(done, total, `restoring: ${what}`),
      onStarting: (starting) => onShutdown(() => stopping(starting)),
    }).catch((error) => {
      throw withAdvice(error);
    }),
  );
  const { durability, 'data-dir': folder } = options;
  announce(
    cluster,
    durability === 'none'
      ? 'Data lives in memory: it is gone when this stops.'
      : `Data is kept in ${folder}, durability ${durability}: it is there at the next start (--fresh starts anew).`,
  );
  log.open();
  const death = await givenUp;
  console.error(`\n${lastWords(death)} Stopping the rest.\n\n${indented(death.lastLines)}`);
  await shutdown();
  return 1;
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function start(args) {
  if (args.includes('--help')) {
    console.log(usage());
    return 0;
  }
  const options = readOptions(args, process.env);
  const plan = portPlan({
    gatewayPort: options['gateway-port'],
    auctionsPort: options['auctions-port'],
    timelinesPort: options['timelines-port'],
    shards: options.shards,
    auctionServers: options['auction-servers'],
    timelineServers: options['timeline-servers'],
  });
  await checkPorts(plan);
  stopWithoutNpm();
  await setUpNode();
  await setUpNative('release', ['claret_addon']);
  await setUpPages();
  onShutdown(() => console.log('\nStopped.'));
  return run(options, plan);
}
