// npm start: the demo. Runs gateways, both sites' data and app servers, until Ctrl-C; with --replicated also NATS servers and standbys. A
// process that dies is started again.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../cluster.js';
import { forget, keptShards, refuseMoreShards, refuseOtherKind } from '../kept-data.js';
import { NATS_SERVERS } from '../nats/configuration.js';
import { ROOT } from '../paths.js';
import { announcement } from '../run/announcement.js';
import { backWords, deathWords, lastWords, moveWords } from '../run/news.js';
import { choosePorts, variableOf } from '../run/demo-ports.js';
import { demoShards } from '../run/demo-shards.js';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { indented } from '../run/service.js';
import { isStopping, onShutdown, shutdown } from '../run/shutdown.js';
import { setUp } from '../setup/setup.js';

const PARENT_CHECK_MS = 1_000;
const QUICK_STOP_MS = 2_000;
const SHARDS_MAX = 16;
const STANDBYS_MAX = 4;
/** With more, the next port would be that of the timelines. */
const AUCTION_SERVERS_MAX = 10;
/** With more, the next port would be that of the first Redis door. */
const TIMELINE_SERVERS_MAX = 10;
/** Default number of people on the timelines, 2^scale: for a small data set, or the paper's. */
const GRAPH_SCALES = { small: 10, claret: 16 };
/** Each kind of cluster has a data folder of its own. */
const DATA_DIRS = { local: '.data', replicated: '.data/replicated' };

/** flag → [default, meaning, smallest, greatest]; the variable CLARET_SOME_FLAG sets `--some-flag` too */
const NUMBERS = {
  'gateway-port': [7400, 'REST port of the first gateway; gRPC is one above, further gateways follow', 1, 65_400],
  'resp-port': [7430, 'port for Redis clients at the first gateway; those of further gateways follow', 1, 65_500],
  'auctions-port': [7410, 'port of the first auction server; further servers follow', 1, 65_500],
  'timelines-port': [7420, 'port of the first timelines server; further servers follow', 1, 65_500],
  'nats-port': [7460, 'port of the first NATS server, with --replicated; their other ports follow', 1, 65_500],
  shards: [undefined, 'gateways, each one shard (as many as the data folder has, at first 2)', 1, SHARDS_MAX],
  'dealt-shards': [
    undefined,
    'the first of them, among which the slots are dealt at first (all that --shards names; without it, with two processors, 1)',
    1,
    SHARDS_MAX,
  ],
  standbys: [undefined, 'further gateways, with --replicated: they own no shard until one dies (1)', 0, STANDBYS_MAX],
  'auction-servers': [1, 'app servers of the auctions', 1, AUCTION_SERVERS_MAX],
  'timeline-servers': [1, 'app servers of the timelines', 1, TIMELINE_SERVERS_MAX],
  'past-ms': [600_000, 'what records were is kept for so long, in ms, for reads of the past', 0, 3_600_000],
  'graph-scale': [undefined, 'people on the timelines, 2^scale (10, with the profile claret 16)', 4, 18],
  seed: [undefined, 'of the data sets', 0, 0xffff_ffff],
};
const WORDS = {
  'data-dir': [
    undefined,
    `folder of the gateways: what they keep is there at the next start (${DATA_DIRS.local}, with --replicated ${DATA_DIRS.replicated})`,
    /./,
  ],
  profile: ['small', 'data sets: small | claret', /^(small|claret)$/],
  durability: [
    'sync',
    'what a crash may take: sync (nothing acknowledged) | async (the last second) | none (all: data lives in memory)',
    /^(sync|async|none)$/,
  ],
  visitors: ['on', 'quiet visitors who bid and post now and then: on | off', /^(on|off)$/],
  'log-level': ['warn', 'of all servers: debug | info | warn | error | silent', /^(debug|info|warn|error|silent)$/],
};

/** flag → meaning; the variable is 1, or 0 */
const SWITCHES = {
  replicated: 'logs on three NATS servers, and standbys that take over the shards of gateways that die',
};

export const usage = () =>
  ['npm start -- [flags]', '']
    .concat(
      Object.entries({ ...NUMBERS, ...WORDS }).map(
        ([flag, [standard, meaning]]) =>
          `  --${flag.padEnd(17)} ${meaning}${standard === undefined ? '' : ` (${standard})`}, or ${variableOf(flag)}`,
      ),
      Object.entries(SWITCHES).map(([flag, meaning]) => `  --${flag.padEnd(17)} ${meaning}, or ${variableOf(flag)}=1`),
      `  --${'fresh'.padEnd(17)} forget what was kept: start with new data sets`,
    )
    .join('\n');

/**
 * @param {string[]} args @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, any>} by flag; `named`: the flags that were given, or their variables
 */
export function readOptions(args, env) {
  const flags = Object.keys({ ...NUMBERS, ...WORDS });
  let values;
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'string' }]));
    for (const flag of ['fresh', ...Object.keys(SWITCHES)]) options[flag] = { type: 'boolean' };
    ({ values } = parseArgs({ args, options: /** @type {any} */ (options) }));
  } catch (error) {
    throw new Problem(`${error.message.split('\n')[0]}\n\n${usage()}`);
  }
  const given = (flag) => values[flag] ?? env[variableOf(flag)];
  const read = { fresh: values.fresh === true, named: new Set(flags.filter((flag) => given(flag) !== undefined)) };
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
    if (read[flag] !== undefined && !pattern.test(read[flag])) throw new Problem(`--${flag}: ${meaning}; not "${read[flag]}".`);
  }
  for (const flag of Object.keys(SWITCHES)) {
    const text = env[variableOf(flag)] ?? '0';
    if (!/^[01]$/.test(text)) throw new Problem(`${variableOf(flag)} takes 1 or 0, not "${text}".`);
    read[flag] = values[flag] ?? text === '1';
  }
  read['data-dir'] ??= read.replicated ? DATA_DIRS.replicated : DATA_DIRS.local;
  if (values.standbys !== undefined && !read.replicated) throw new Problem('--standbys is for a cluster with --replicated.');
  if (read.durability !== 'sync' && read.replicated) throw new Problem(`--replicated has durability sync, not "${read.durability}".`);
  read.standbys = read.replicated ? (read.standbys ?? 1) : 0;
  return read;
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

/** Adds advice to the error of a gateway that cannot start on the existing data. */
function withAdvice(error) {
  if (!(error instanceof Problem) || !/data set|data director|the log/.test(error.message) || / is in use by /.test(error.message))
    return error;
  return new Problem(`${error.message}\n\nnpm start -- --fresh forgets what was kept; --data-dir names another folder.`);
}

async function run(options, plan) {
  const log = new ServerLog();
  const ours = Object.fromEntries(Object.keys({ ...NUMBERS, ...WORDS, ...SWITCHES }).map((flag) => [variableOf(flag), undefined]));
  let giveUp;
  const givenUp = new Promise((tell) => {
    giveUp = tell;
  });
  const onDeath = (death) => (death.againInMs === null ? giveUp(death) : log.say(deathWords(death)));
  const dataDir = resolve(ROOT, options['data-dir']);
  if (options.fresh) await forget(dataDir);
  refuseOtherKind(dataDir, options.replicated);
  if (options.durability !== 'none' && !options.replicated) refuseMoreShards(dataDir, options.shards);
  const cluster = await step('Starting', (show) =>
    startCluster({
      ports: plan,
      shards: options.shards,
      dealtShards: options['dealt-shards'],
      replicated: options.replicated && { standbys: options.standbys },
      auctionServers: options['auction-servers'],
      timelineServers: options['timeline-servers'],
      dashboard: true,
      visitors: options.visitors === 'on',
      profile: options.profile,
      graphScale: options['graph-scale'] ?? GRAPH_SCALES[options.profile],
      seed: options.seed,
      logLevel: options['log-level'],
      durability: options.durability,
      gatewayFlags: ['--past-ms', String(options['past-ms'])],
      dataDir,
      env: ours,
      restarts: {},
      onDeath,
      onBack: (back) => log.say(backWords(back, options.durability)),
      onMove: (move) => log.say(moveWords(move)),
      onLine: log.line,
      onProgress: (done, total, what) => show.amount(done, total, `data: ${what}`),
      onRestoring: (done, total, what) => show.amount(done, total, `restoring: ${what}`),
      onStarting: (starting) => onShutdown(() => stopping(starting)),
    }).catch((error) => {
      throw withAdvice(error);
    }),
  );
  const { durability, 'data-dir': folder } = options;
  const kept =
    durability === 'none'
      ? 'Data lives in memory: it is gone when this stops.'
      : `Data is kept in ${folder}, durability ${durability}: it is there at the next start (--fresh starts anew).`;
  console.log(announcement(cluster, kept, options.replicated ? await cluster.owners() : null));
  log.open();
  setUp('coreBesideDemo').catch((problem) => {
    if (!isStopping()) console.error(problem.message);
  });
  const death = await givenUp;
  console.error(`\n${lastWords(death)} Stopping the rest.\n\n${indented(death.lastLines)}`);
  await shutdown();
  return 1;
}

/** A shard without a log gives no slots. Standbys are for shards that have some, so all shards of a replicated cluster do. */
function shardsOf({ shards, 'dealt-shards': dealt, replicated, durability, fresh, 'data-dir': folder }) {
  const kept = fresh || durability === 'none' ? null : keptShards(resolve(ROOT, folder));
  const slotsMove = durability !== 'none' && !replicated;
  return demoShards({ shards, dealt }, kept, { processors: availableParallelism(), slotsMove });
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function start(args) {
  if (args.includes('--help')) {
    console.log(usage());
    return 0;
  }
  const options = readOptions(args, process.env);
  const { shards, dealt } = shardsOf(options);
  options.shards = shards;
  options['dealt-shards'] = dealt;
  const count = {
    shards: options.shards,
    standbys: options.standbys,
    natsServers: options.replicated ? NATS_SERVERS : 0,
    auctionServers: options['auction-servers'],
    timelineServers: options['timeline-servers'],
  };
  await choosePorts(options, options.named, count); // a port that its user must free is named before the set-up
  stopWithoutNpm();
  await setUp('addon', 'pages', ...(options.replicated ? ['nats'] : []));
  onShutdown(() => console.log('\nStopped.'));
  const { plan, moved } = await choosePorts(options, options.named, count);
  if (moved) console.log(`Port ${moved.port} (${moved.owner}) is taken by another process, so this demo has others.`);
  return run(options, plan);
}
