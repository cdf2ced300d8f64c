// The cost of durability: rubis bid-heavy and rawmix on Claret with none, async and sync, on Claret with a replicated log, and on Redis
// with each fsync policy.
//
// All systems run at once, on one machine, with their data in folders of one disk, and take turns round after round, each round in
// another order. A figure is the median of the rounds, a share the median of the ratios within them. After each cell the stored
// data is compared with the acknowledged transactions; a mismatch ends the run with code 1. Redis and the replicated log take part if Redis and nats-server are installed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer } from '../../scripts/setup/nats-server.js';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { POINTS, type Sending } from './paper/points.ts';
import { Progress } from '../kit/progress.ts';
import { HOW_TO_INSTALL, redisVersion } from '../kit/redis-server.ts';
import { measureDisk } from './durability/disk.ts';
import { goalLine, rowsOf, SYSTEMS, workloadTable, type Cell, type WorkloadName } from './durability/report.ts';
import { wayOf, withDrivers, withSystems, type Environment, type Running } from './durability/systems.ts';
import { readFlags } from '../kit/arguments.ts';
import { pollUsFor } from '../kit/polling.ts';

const WORKLOADS = ['rubis', 'rawmix'] as const satisfies WorkloadName[];
const SENDINGS = ['one-shot', 'interactive'] as const satisfies Sending[];
const POINT_OF: Record<WorkloadName, string> = { rubis: 'bid-heavy', rawmix: 'alpha=1 update=0.5' };
/** Warm-up before a cell's span, as a share of it. */
const WARM_SHARE = 0.4;
/** Compilers settle before the first measured cell. */
const FIRST_WARM_SECONDS = 1;
const FIRST_WARM_CLIENTS = 64;

const options = readFlags(
  {
    json: { type: 'string' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    shards: { type: 'string', default: '1' },
    workload: { type: 'string', multiple: true, default: [...WORKLOADS] },
    clients: { type: 'string', multiple: true, default: ['16', '256'] },
    // the folder below which all systems keep their data during the run
    dir: { type: 'string', default: tmpdir() },
    // how long Claret's client and gateways poll after a frame, in microseconds; the default depends on the machine
    poll: { type: 'string' },
    'rubis-items': { type: 'string', default: '10000' },
    // for rawmix: its four operations in one message, or each awaited
    sending: { type: 'string', default: 'one-shot' },
  },
  { workload: WORKLOADS, sending: SENDINGS },
  ({ shards: count, poll: given }) => void pollUsFor(Number(count), given),
);
const [seconds, rounds, seed, shards] = [options.seconds, options.rounds, options.seed, options.shards].map(Number) as [
  number,
  number,
  number,
  number,
];
const clientCounts = options.clients.map(Number);
const progress = new Progress();
process.exitCode = await run();

async function run(): Promise<number> {
  const redis = redisVersion();
  const nats = await findNatsServer();
  const systems = SYSTEMS.filter(
    ({ system, durability }) => (system !== 'redis' || redis !== null) && (durability !== 'jetstream' || nats !== null),
  );
  const folder = mkdtempSync(join(options.dir, 'claret-durability-'));
  const leave = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', leave);
  console.log(heading(redis, folder));
  const environment: Environment = {
    shards,
    poll: options.poll,
    folder,
    seed,
    rubis_items: Number(options['rubis-items']),
    sending: options.sending as Sending,
  };
  const cells: Cell[] = [];
  let mismatch: string | null = null;
  progress.show('starting');
  await withSystems(systems, environment, async (running) => {
    for (const workload of WORKLOADS.filter((name) => options.workload.includes(name))) {
      mismatch ??= await measureWorkload(workload, running, environment, cells);
      progress.end();
      if (mismatch === null) console.log(`\n${workload} ${POINT_OF[workload]}\n\n${workloadTable(cells, workload)}`);
    }
  });
  if (mismatch !== null) {
    console.error(mismatch);
    return 1;
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rowsOf(cells), null, 2)}\n`);
  console.log(`\n${goalLine(cells)}`);
  return 0;
}

/** Adds its measurements to `cells`. Returns a mismatch between stored and acknowledged data, or null. */
async function measureWorkload(
  workload: WorkloadName,
  running: readonly Running[],
  environment: Environment,
  cells: Cell[],
): Promise<string | null> {
  const point = POINTS.find(({ workload: of, name }) => of === workload && name === POINT_OF[workload])!;
  let mismatch: string | null = null;
  progress.show(`${workload}: loading`);
  await withDrivers(running, environment, workload, point, async (runCell) => {
    for (const at of running.keys())
      await runCell(at, FIRST_WARM_CLIENTS, { warm_seconds: Math.min(seconds, FIRST_WARM_SECONDS), seconds: 0 });
    for (let round = 0; round < rounds; round++) {
      for (const clients of clientCounts) {
        for (let turn = 0; turn < running.length; turn++) {
          const at = (turn + round) % running.length;
          const { system, durability } = running[at]!;
          progress.show(`${workload}: round ${round + 1} of ${rounds}, ${clients} clients, ${system} ${durability}`);
          const { txn_per_s, p99_ms, mismatches } = await runCell(at, clients, { warm_seconds: WARM_SHARE * seconds, seconds });
          if (mismatches.length > 0) {
            mismatch = `${workload}, ${system} ${durability}, ${clients} clients: ${mismatches[0]}; ${mismatches.length} in all`;
            return;
          }
          cells.push({ workload, system, durability, clients, txn_per_s, p99_ms, round });
        }
      }
    }
  });
  return mismatch;
}

function heading(redis: string | null, folder: string): string {
  const { commit, dirty } = thisCommit();
  const machine = thisMachine();
  const { sync_ms, in_memory } = measureDisk(folder);
  return [
    `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}, ${shards} ${shards === 1 ? 'shard' : 'shards'}; ${redis === null ? `no Redis: ${HOW_TO_INSTALL}` : `Redis ${redis}`}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}`,
    `medians of ${rounds} rounds of ${seconds} s, seed ${seed}; rubis: ${wayOf('claret', 'rubis', 'one-shot')}, rawmix: ${wayOf('claret', 'rawmix', options.sending as Sending)}; ${wayOf('redis', 'rawmix', 'one-shot')}`,
    `data below ${options.dir}: ${in_memory ? 'in memory (tmpfs), where nothing is kept and sync costs nothing: --dir FOLDER names a disk' : `4 KiB are written and synced in ${sync_ms.toFixed(2)} ms (median)`}`,
  ].join('\n');
}
