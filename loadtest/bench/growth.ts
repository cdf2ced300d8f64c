// Growth: the memory of gateways under a long load that leaves nothing behind, minute by minute.
//
//   steady     transactions on a fixed number of records at a fixed rate, so that the stored data has a constant size; some have ids, whose answers
//              are kept for a while
//   absent     reads of keys that are not there
//   expiring   keys that expire after a second
//   sessions   clients that come and go
//   sites      both sites with their visitors, and their app servers' memory too
//
// Gateways over loopback with a log. Memory that grows although the data does not is a leak. Figures are the processes' own, from /metrics, each the
// least of its minute, which excludes most uncollected garbage. V8 reserves memory for young objects in steps, up to a bound; resident memory without
// it must not grow. Growth is from the second minute to the last, and the slope over the second half of the run, by least squares.

import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../scripts/cluster.js';
import { readFlags } from '../kit/arguments.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { absent, expiring, sessions } from './growth/gone.ts';
import { leastOf, readLevels, residentOf, slopePerMinute, type Levels } from './growth/levels.ts';
import type { StartLoad } from './growth/load.ts';
import { sites } from './growth/sites.ts';
import { steadyLoad } from './growth/steady-load.ts';

const SAMPLES_PER_MINUTE = 12;
/** with `sites` */
const GRAPH_SCALE = 10;

const options = readFlags(
  {
    json: { type: 'string' },
    load: { type: 'string', default: 'steady' },
    count: { type: 'string', default: '10000000' },
    minutes: { type: 'string', default: '20' },
    shards: { type: 'string', default: '2' },
    clients: { type: 'string', default: '8' },
    pace: { type: 'string', default: '1100' },
    records: { type: 'string', default: '4276' },
    'id-share': { type: 'string', default: '0.2' },
    'keep-s': { type: 'string', default: '120' },
    durability: { type: 'string', default: 'async' },
    seed: { type: 'string', default: '1' },
  },
  { durability: ['sync', 'async', 'none'], load: ['steady', 'absent', 'expiring', 'sessions', 'sites'] },
);
const minutesMax = Number(options.minutes);
const steady = steadyLoad({
  clients: Number(options.clients),
  transactionsPerSecond: Number(options.pace),
  records: Number(options.records),
  idShare: Number(options['id-share']),
  keepMs: 1000 * Number(options['keep-s']),
  seed: Number(options.seed),
});
const start = ({ steady, absent, expiring, sessions, sites } as Record<string, StartLoad>)[options.load]!;
const forSites = { auctionServers: 1, timelineServers: 1, profile: 'small', graphScale: GRAPH_SCALE, visitors: true } as const;

const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);

interface Minute {
  minute: number;
  done: number;
  gateways: Levels[];
  /** resident memory of app servers */
  servers: number[];
}

/** So long as the load goes on, to the whole minute. */
async function measure(cluster: Cluster): Promise<Minute[]> {
  const { gateways } = cluster;
  const servers = [...cluster.auctions, ...cluster.timelines];
  const load = await start(cluster, Number(options.count));
  let over = false;
  const ended = load.ended.finally(() => (over = true));
  ended.catch(() => {}); // `stop` rejects, too
  console.log(`${load.about}\n`);
  console.log(`min ${load.unit.padStart(10)}  of each gateway: resident / heap in use / young space / external MiB`);
  const measured: Minute[] = [];
  for (let minute = 1; minute <= minutesMax && !over; minute++) {
    const samples: { gateways: Levels[]; servers: number[] }[] = [];
    for (let sample = 0; sample < SAMPLES_PER_MINUTE; sample++) {
      await sleep(60_000 / SAMPLES_PER_MINUTE);
      samples.push({
        gateways: await Promise.all(gateways.map(({ rest }) => readLevels(rest))),
        servers: servers.map(({ pid }) => residentOf(pid)),
      });
    }
    const least = gateways.map((_, i) => leastOf(samples.map((sample) => sample.gateways[i]!)));
    const leastServers = servers.map((_, i) => Math.min(...samples.map((sample) => sample.servers[i]!)));
    measured.push({ minute, done: load.done, gateways: least, servers: leastServers });
    const shown = least.map(({ resident, heap, young, external }) => [resident, heap, young, external].map(mebibytes).join(' / '));
    console.log(
      `${String(minute).padStart(3)} ${String(load.done).padStart(10)}  ${[...shown, ...leastServers.map(mebibytes)].join('   ')}`,
    );
  }
  await load.stop();
  return measured;
}

/** From the second minute to the last, and by the slope of the second half. */
function rowOf(name: string, values: number[]): string[] {
  const [first, last] = [values[Math.min(1, values.length - 1)]!, values.at(-1)!];
  const slope = slopePerMinute(values.slice(Math.floor(values.length / 2))) / 2 ** 20;
  return [name, mebibytes(first), mebibytes(last), `${(100 * (last / first - 1)).toFixed(1)} %`, slope.toFixed(2)];
}

await withCluster(
  Number(options.shards),
  {},
  async (cluster) => {
    const measured = await measure(cluster);
    const rows = cluster.gateways.flatMap((_, i) => {
      const read = (levels: (of: Levels) => number) => measured.map(({ gateways }) => levels(gateways[i]!));
      return [
        rowOf(
          `gateway ${i}, resident without young space`,
          read(({ resident, young }) => resident - young),
        ),
        rowOf(
          `gateway ${i}, heap in use`,
          read(({ heap }) => heap),
        ),
      ];
    });
    for (const i of measured[0]!.servers.keys()) {
      rows.push(
        rowOf(
          `app server ${i}, resident`,
          measured.map(({ servers }) => servers[i]!),
        ),
      );
    }
    console.log(`\n${table(['MiB', 'minute 2', 'last', 'growth', 'a minute, second half'], rows)}`);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ options, measured }, null, 2)}\n`);
  },
  {
    durability: options.durability as 'sync' | 'async' | 'none',
    redis: ['absent', 'expiring'].includes(options.load),
    ...(options.load === 'sites' && forSites),
  },
);
