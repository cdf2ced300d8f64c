// Telemetry: how much more CPU time a committed transaction takes the gateways while a viewer watches the cluster.
//
// Two gateway processes over loopback run one load after another, each from its own driver process that never stops between cells:
// transactions of rawmix and of the auctions' bid-heavy mix, interactive and one-shot. Cells come in pairs, without and with a
// viewer, in alternating order. The viewer reads the stream of one gateway (GET /v1/telemetry/stream), which collects the reports
// of both shards, and decodes it as a page does.
//
// Cost is the increase of the CPU time of all gateways, user and system, per committed transaction, as counted by the operating
// system: the middle of the pairs, with its range. Other work on the machine affects a pair far more than watching does, so it
// takes many pairs, and short ones, because slowdowns last for seconds. A cell of 0.6 s has the same number of frames whenever it
// begins. Gateways do not poll, because polling would hide the cost. At the end of each load the stored data is compared with the
// acknowledged transactions.

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Point, Sending } from './paper/points.ts';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { withCluster } from '../kit/with-cluster.ts';
import type { Answer, Ended, Question, Span } from './telemetry/question.ts';
import { costOfAll, costTable, percent, rowOf, verdict, type Measured, type Pair } from './telemetry/report.ts';
import { Viewer } from './telemetry/viewer.ts';

const SHARDS = 2;
const GOAL = 0.02;
/** warm-up before a cell's span, as a share of it: the gateways have noticed the viewer's arrival or departure */
const SETTLE_SHARE = 0.25;
/** With fewer frames than this share of the promised number, the measurement is not the cost of watching. */
const FRAMES_SHARE_MIN = 0.5;
/** until compilers have settled */
const WARM_UP_SECONDS = 4;

const POINTS: readonly Point[] = [
  { workload: 'rawmix', name: 'alpha=1 update=0.5', alpha: 1, update: 0.5 },
  { workload: 'rubis', name: 'bid-heavy' },
];
const SENDINGS: Sending[] = ['interactive', 'one-shot'];

const options = readFlags(
  {
    json: { type: 'string' },
    pairs: { type: 'string', default: '96' },
    seconds: { type: 'string', default: '0.6' },
    clients: { type: 'string', default: '64' },
    'rubis-items': { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    workload: { type: 'string', multiple: true, default: POINTS.map(({ workload }) => workload) },
    sending: { type: 'string', multiple: true, default: SENDINGS },
    // a folder for CPU profiles of the driver and the gateways
    profile: { type: 'string' },
  },
  { workload: POINTS.map(({ workload }) => workload), sending: SENDINGS },
);
const [pairs, seconds, clients, rubis_items, seed] = [
  options.pairs,
  options.seconds,
  options.clients,
  options['rubis-items'],
  options.seed,
].map(Number) as [number, number, number, number, number];
const profiling = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];

type Driver = DriverProcess<Question, Answer>;

async function span(driver: Driver): Promise<Span> {
  await sleep(1000 * SETTLE_SHARE * seconds);
  return (await driver.ask({ ask: 'span', seconds })) as Span;
}

async function watched(driver: Driver, rest: string): Promise<Pick<Pair, 'with' | 'seen'>> {
  const viewer = await Viewer.open(rest);
  try {
    await sleep(1000 * SETTLE_SHARE * seconds);
    viewer.take();
    const measured = (await driver.ask({ ask: 'span', seconds })) as Span;
    const seen = viewer.take();
    const promised = viewer.framesPerSecond * measured.seconds;
    if (seen.commits === 0 || seen.frames < FRAMES_SHARE_MIN * promised) {
      throw new Error(`the viewer received ${seen.commits} commits in ${seen.frames} frames, of ${promised.toFixed(1)} promised`);
    }
    return { with: measured, seen };
  } finally {
    await viewer.close();
  }
}

async function pair(driver: Driver, rest: string, watchedFirst: boolean): Promise<Pair> {
  if (!watchedFirst) return { without: await span(driver), ...(await watched(driver, rest)) };
  const first = await watched(driver, rest);
  return { ...first, without: await span(driver) };
}

async function measure(point: Point, sending: Sending): Promise<Measured> {
  const name = `${point.workload} ${point.name}, ${sending}`;
  const measured: Measured = { name, pairs: [] };
  const env = { CLARET_POLL_MICROSECONDS: '0', ...(profiling.length > 0 && { NODE_OPTIONS: profiling.join(' ') }) };
  await withCluster(SHARDS, env, async ({ gateways }) => {
    const driver: Driver = new DriverProcess(new URL('./telemetry/driver.ts', import.meta.url), [], profiling);
    try {
      const addresses = gateways.map(({ grpc }) => grpc);
      const load = { ask: 'load' as const, addresses, point, seed, retwis_scale: 0, rubis_items };
      await driver.ask({ ask: 'begin', load, sending, clients, gateway_pids: gateways.map(({ pid }) => pid) });
      await driver.ask({ ask: 'span', seconds: Math.min(WARM_UP_SECONDS, 4 * seconds) });
      const { rest } = gateways[0]!;
      for (let i = 0; i < pairs; i++) {
        measured.pairs.push(await pair(driver, rest, i % 2 === 1));
        console.error(`${name}: pair ${i + 1} of ${pairs}`);
      }
      const { mismatches } = (await driver.ask({ ask: 'end' })) as Ended;
      if (mismatches.length > 0) throw new Error(`${name}: stored and acknowledged data differ:\n${mismatches.slice(0, 5).join('\n')}`);
    } finally {
      await driver.close();
    }
  });
  return measured;
}

if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true });
const all: Measured[] = [];
for (const point of POINTS.filter(({ workload }) => options.workload.includes(workload))) {
  for (const sending of SENDINGS.filter((one) => options.sending.includes(one))) all.push(await measure(point, sending));
}
const rows = all.map(rowOf);
const cost = costOfAll(all.flatMap((measured) => measured.pairs));
console.log(
  `${pairs} pairs of cells of ${seconds} s, without and with a viewer; ${clients} transactions at once, ${SHARDS} gateways, seed ${seed}\n`,
);
console.log(costTable(rows));
console.log(`
watching costs ${percent(cost.cost_share)} of the gateways' CPU time per committed transaction, the middle of all pairs;
with 95 % it is between ${cost.cost_share_range.map(percent).join(' and ')} (goal: ${percent(GOAL)}, ${verdict(cost, all.length * pairs, GOAL)})`);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ ...cost, pairs, seconds, clients, workloads: rows }, null, 2)}\n`);
