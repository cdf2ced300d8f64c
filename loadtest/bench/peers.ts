// Claret compared with its alternatives: rawmix and rubis on Redis with MULTI, WATCH and Lua, in one run.
//
// For each point a cluster, a redis-server and a driver process for each, over loopback. The ways of running a transaction take
// turns, round after round; a figure is the median of the rounds. After each cell the stored data is compared with the acknowledged
// transactions; a mismatch ends the run with code 1. Nothing is durable on either side.

import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { POINTS, type Point } from './paper/points.ts';
import { Progress } from '../kit/progress.ts';
import type { Answer, CellAnswer, CellQuestion, LoadQuestion, Question } from './peers/question.ts';
import { HOW_TO_INSTALL, redisVersion, withRedis } from '../kit/redis-server.ts';
import { figuresOf, pointTable, verdictLine, verdicts, type CellRow } from './peers/report.ts';
import { COMMON_GUARANTEES, WAYS, wayNamed, type Peer, type WayName } from './peers/ways.ts';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { pollUsFor } from '../kit/polling.ts';
import { withCluster } from '../kit/with-cluster.ts';
import type { Cluster } from '../../scripts/cluster.js';

const PEER_POINTS = POINTS.filter(({ name }) =>
  ['alpha=0.6 update=0.5', 'alpha=1 update=0.5', 'alpha=1.4 update=0.5', 'bid-heavy'].includes(name),
);
/** Warm-up before a cell's span, as a share of it. */
const WARM_SHARE = 0.4;
/** Compilers settle before the first measured cell of a way. */
const FIRST_WARM_SECONDS = 1;

const options = readFlags(
  {
    json: { type: 'string' },
    // a folder: each cell is appended to peers.jsonl there
    out: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    shards: { type: 'string', default: '1' },
    point: { type: 'string', multiple: true, default: PEER_POINTS.map(({ name }) => name) },
    clients: { type: 'string', multiple: true, default: ['8', '64', '256'] },
    way: { type: 'string', multiple: true, default: WAYS.map(({ name }) => name) },
    // how long Claret's client and gateways poll after a frame, in microseconds; the default depends on the machine
    poll: { type: 'string' },
    // connections of `redis WATCH pooled`
    pool: { type: 'string', default: '8' },
    // before WATCH is retried: random up to 1 ms, doubled each time up to this; 0: at once
    'backoff-ms': { type: 'string', default: '16' },
    'rubis-items': { type: 'string', default: '30000' },
  },
  { point: PEER_POINTS.map(({ name }) => name), way: WAYS.map(({ name }) => name) },
  ({ shards: count, poll: given }) => void pollUsFor(Number(count), given),
);
const [seconds, rounds, seed, shards, pool, backoff] = [
  options.seconds,
  options.rounds,
  options.seed,
  options.shards,
  options.pool,
  options['backoff-ms'],
].map(Number) as [number, number, number, number, number, number];
const poll = pollUsFor(shards, options.poll);
const clientCounts = options.clients.map(Number);
const progress = new Progress();
process.exitCode = await run();

type Driver = DriverProcess<Question, Answer>;
type Drivers = Partial<Record<Peer, { driver: Driver; pids: number[] }>>;

async function run(): Promise<number> {
  const redis = redisVersion();
  if (redis === null) {
    console.error(HOW_TO_INSTALL);
    return 2;
  }
  const about = {
    kind: 'run',
    ...thisCommit(),
    machine: thisMachine(),
    redis,
    begun_at: new Date().toISOString(),
    seed,
    options,
    durability: 'none',
  };
  keep(about);
  console.log(heading(about));
  const rows: CellRow[] = [];
  for (const point of PEER_POINTS.filter(({ name }) => options.point.includes(name))) {
    const mismatch = await measurePoint(point, rows);
    progress.end();
    if (mismatch !== null) {
      console.error(mismatch);
      return 1;
    }
    console.log(`\n${point.workload} ${point.name}\n\n${pointTable(figuresOf(rows.filter((row) => row.point === point.name)))}`);
  }
  const figures = figuresOf(rows);
  const judged = verdicts(figures);
  console.log(
    `\n${WAYS.map(({ name, guarantees }) => `${name}: ${guarantees}.`).join('\n')}\n${COMMON_GUARANTEES.join('\n')}\n\n${judged.map(verdictLine).join('\n')}`,
  );
  const others = Math.max(...figures.map(({ others_cpu }) => others_cpu));
  console.log(`\nOther processes used up to ${others.toFixed(2)} CPUs in a cell (median of its rounds).`);
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ run: about, cells: figures, targets: judged }, null, 2)}\n`);
  return 0;
}

/** Adds its measurements to `rows`. Returns a mismatch between stored and acknowledged data, or null. */
async function measurePoint(point: Point, rows: CellRow[]): Promise<string | null> {
  let mismatch: string | null = null;
  const work = (cluster: Cluster) =>
    withRedis(async (redis) => {
      const driverAt = async (at: LoadQuestion['at']): Promise<Driver> => {
        const driver: Driver = new DriverProcess(new URL('./peers/driver.ts', import.meta.url), []);
        progress.show(`${point.workload} ${point.name}: loading`);
        await driver.ask({ ask: 'load', at, point, seed, rubis_items: Number(options['rubis-items']) });
        return driver;
      };
      const pids = cluster.gateways.map(({ pid }) => pid);
      const drivers: Drivers = {
        claret: { driver: await driverAt({ addresses: cluster.gateways.map(({ grpc }) => grpc) }), pids },
        redis: { driver: await driverAt({ port: redis.port }), pids: [redis.pid] },
      };
      if (point.workload === 'rawmix') {
        const port = Number(cluster.gateways[0]!.resp!.split(':').at(-1));
        drivers.door = { driver: await driverAt({ port }), pids };
      }
      try {
        mismatch = await measureCells(point, drivers, rows);
      } finally {
        await Promise.all(Object.values(drivers).map(({ driver }) => driver.close()));
      }
    });
  await withCluster(shards, { CLARET_POLL_MICROSECONDS: String(poll) }, work, { redis: true });
  return mismatch;
}

async function measureCells(point: Point, drivers: Drivers, rows: CellRow[]): Promise<string | null> {
  const ways = WAYS.filter(({ name, workloads }) => options.way.includes(name) && workloads.includes(point.workload)).map(
    ({ name }) => name,
  );
  const ask = async (way: WayName, clients: number, span: { warm_seconds: number; seconds: number }): Promise<CellAnswer> => {
    const { driver, pids } = drivers[wayNamed(way).peer]!;
    const question: CellQuestion = { ask: 'cell', way, clients, ...span, server_pids: pids, poll_us: poll, pool, backoff_ms_max: backoff };
    return (await driver.ask(question))!;
  };
  for (const way of ways) await ask(way, 64, { warm_seconds: FIRST_WARM_SECONDS, seconds: 0 });
  for (let round = 0; round < rounds; round++) {
    for (const clients of clientCounts) {
      for (const way of ways) {
        // A pool with at least as many connections as clients equals the way without a pool.
        if (way === 'redis WATCH pooled' && clients <= pool) continue;
        progress.show(`${point.workload} ${point.name}: round ${round + 1} of ${rounds}, ${clients} clients, ${way}`);
        const { mismatches, ...figures } = await ask(way, clients, { warm_seconds: WARM_SHARE * seconds, seconds });
        if (mismatches.length > 0) return `${point.name}, ${way}, ${clients} clients: ${mismatches[0]}; ${mismatches.length} in all`;
        const row: CellRow = { kind: 'cell', workload: point.workload, point: point.name, clients, way, round, ...figures };
        rows.push(row);
        keep(row);
      }
    }
  }
  return null;
}

function keep(row: object): void {
  if (options.out === undefined) return;
  mkdirSync(options.out, { recursive: true });
  appendFileSync(join(options.out, 'peers.jsonl'), `${JSON.stringify(row)}\n`);
}

function heading({
  commit,
  dirty,
  machine,
  redis,
}: ReturnType<typeof thisCommit> & { machine: ReturnType<typeof thisMachine>; redis: string }): string {
  return [
    `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}, ${shards} ${shards === 1 ? 'shard' : 'shards'}; Redis ${redis}, npm client redis; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}`,
    `medians of ${rounds} rounds of ${seconds} s, seed ${seed}; durability none; Claret's client and gateways poll for ${poll} µs after a frame, which is in their CPU time`,
    `WATCH tries again ${backoff === 0 ? 'at once' : `after up to 1 ms at random, doubled each time up to ${backoff} ms`}; pooled: ${pool} connections`,
  ].join('\n');
}
