// Warranties: results that shards promise, so that app servers answer from memory; after the paper's experiments.
//
// Gateway processes and driver processes over loopback; conditions take turns, round after round, on the same data. Each figure is the median
// of the rounds. After each part the stored data is compared with the acknowledged transactions; a mismatch ends the run with code 1.
// `--out` keeps the figures in a results folder, and draws those of the parts `stores` and `load`.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { conditionNamed, WARRANTED } from '../kit/conditions.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { setConditions, withCluster } from '../kit/with-cluster.ts';
import type { Cluster } from '../../scripts/cluster.js';
import { Mismatch } from './paper/mismatch.ts';
import { RawFile } from './paper/raw.ts';
import { measureDelay } from './warranties/delay.ts';
import { report } from './warranties/figures.ts';
import { measureHttp } from './warranties/http.ts';
import { PARTS } from './warranties/parts.ts';
import type { Figures, PartPlan } from './warranties/plan.ts';
import type { Answer, Question, Warranties } from './warranties/question.ts';
import type { CellRow, Row } from './warranties/raw.ts';
import { figuresOf, tableOf, verdictOf, type Cell } from './warranties/report.ts';

/** Those that need more than one driver. */
const OTHERS = { delay: measureDelay, http: measureHttp };
const NAMES = [...Object.keys(PARTS), ...Object.keys(OTHERS)];

const options = readFlags(
  {
    only: { type: 'string', multiple: true, default: NAMES },
    json: { type: 'string' },
    // a folder
    out: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    // topn
    users: { type: 'string', multiple: true },
    // cms
    'rubis-items': { type: 'string', default: '30000' },
    'retwis-scale': { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
  },
  { only: NAMES },
);
const [rounds, seconds, seed] = [options.rounds, options.seconds, options.seed].map(Number) as [number, number, number];
const sizes = { rubis_items: Number(options['rubis-items']), retwis_scale: Number(options['retwis-scale']) };
const progress = new Progress();
const condition = (warranties: Warranties) => ({ ...conditionNamed(WARRANTED.name), warranties });

type Driver = DriverProcess<Question, Answer>;

async function measure(plan: PartPlan, cluster: Cluster, driver: Driver): Promise<Figures[]> {
  const addresses = cluster.gateways.map(({ grpc }) => grpc);
  await driver.ask({ ask: 'load', workload: plan.workload, addresses, driver: 0, users: plan.users, seed, ...sizes });
  const cells: Cell[] = plan.cells.map((cell) => ({ ...cell, rounds: [] }));
  const gateway_pids = cluster.gateways.map(({ pid }) => pid);
  // In the first round, which is discarded, compilers settle.
  for (let round = -1; round < rounds; round++) {
    for (const cell of cells) {
      const { way, condition: warranties, inFlight } = cell;
      progress.show(`${plan.part}: ${warranties}, ${way}, ${inFlight} in flight, round ${round + 1} of ${rounds}`, plan.part);
      await setConditions(cluster, condition(warranties));
      const { measured } = await driver.ask({ ask: 'cell', way, warranties, inFlight, seconds, gateway_pids });
      if (round >= 0) cell.rounds.push(measured!);
    }
  }
  const { mismatches } = await driver.ask({ ask: 'check', others: [] });
  if (mismatches!.length > 0) throw new Mismatch(`${plan.part}: ${mismatches!.slice(0, 5).join('; ')}`);
  const offFor = ({ way, inFlight }: Cell) =>
    cells.find((cell) => cell.condition === 'off' && cell.way === way && cell.inFlight === inFlight)!;
  return cells.map((cell) => figuresOf(plan, cell, offFor(cell)));
}

async function run(plan: PartPlan): Promise<Figures[]> {
  let rows: Figures[] = [];
  await withCluster(plan.shards, plan.usesMin === undefined ? {} : { CLARET_WARRANTY_USES_MIN: String(plan.usesMin) }, async (cluster) => {
    const driver = new DriverProcess<Question, Answer>(new URL('./warranties/driver.ts', import.meta.url), []);
    try {
      rows = await measure(plan, cluster, driver);
    } finally {
      await driver.close();
    }
  });
  progress.say(`\n${plan.part}\n\n${tableOf(rows)}\n`);
  for (const target of plan.targets) progress.say(verdictOf(target, rows));
  return rows;
}

async function* measureAll(): AsyncGenerator<CellRow> {
  for (const name of options.only) {
    if (name in OTHERS) {
      yield* await OTHERS[name as keyof typeof OTHERS]({ rounds, seconds, seed, ...sizes, progress });
      continue;
    }
    const plans = PARTS[name]!.filter(({ users }) => options.users === undefined || users === 0 || options.users.includes(String(users)));
    for (const plan of plans) yield* await run(plan);
  }
}

const { commit, dirty } = thisCommit();
const machine = thisMachine();
const raw = options.out === undefined ? null : new RawFile<Row>(options.out);
if (raw !== null && raw.peek().length > 0) {
  console.error(`${options.out} holds a run already: --out FOLDER begins another`);
  process.exit(2);
}
raw?.append({
  kind: 'run',
  benchmark: 'warranties',
  commit,
  dirty,
  machine,
  begun_at: new Date().toISOString(),
  seed,
  options: { only: options.only, rounds, seconds, ...sizes },
});
progress.say(
  `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}\n` +
    `medians of ${rounds} rounds of ${seconds} s; seed ${seed}`,
);
const rows: CellRow[] = [];
try {
  for await (const row of measureAll()) {
    rows.push(row);
    raw?.append({ kind: 'figures', ...row });
  }
} catch (error) {
  if (!(error instanceof Mismatch)) throw error;
  progress.say(error.message);
  process.exitCode = 1;
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
if (raw !== null) for (const path of await report(options.out!, raw.peek())) progress.say(path);
