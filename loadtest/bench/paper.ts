// The paper's comparison, in the making: throughput and latency of rawmix, rubis and retwis under each condition, side by side.
//
// The harness runs; no figures of it are published. Conditions take turns, round after round, on gateway processes and one
// driver process over loopback; a figure is the median of the rounds. After each cell the workload holds what is stored
// against what was committed. `none` (no locks at all) is not serializable:
// it is there as a bound.

import { appendFileSync, mkdirSync } from 'node:fs';
import type { Cluster } from '../../scripts/cluster.js';
import { CONDITIONS, conditionNamed } from '../paper/conditions.ts';
import { CLIENTS, POINTS, QUICK_CLIENTS, QUICK_POINTS, type Point, type Sending, type WorkloadName } from '../paper/points.ts';
import type { Answer, Question } from '../paper/question.ts';
import { readFlags } from './kit/arguments.ts';
import { DriverProcess } from './kit/driver-process.ts';
import { median } from './kit/statistics.ts';
import { table } from './kit/table.ts';
import { setConditions, withCluster } from './kit/with-cluster.ts';

const unique = (words: readonly string[]) => [...new Set(words)];

const options = readFlags({
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  point: { type: 'string', multiple: true },
  condition: { type: 'string', multiple: true, default: CONDITIONS.map(({ name }) => name) },
  sending: { type: 'string', multiple: true, default: ['interactive', 'one-shot'] },
  clients: { type: 'string', multiple: true },
  shards: { type: 'string', default: '2' },
  seconds: { type: 'string', default: '1' },
  rounds: { type: 'string', default: '3' },
  seed: { type: 'string', default: '1' },
  poll: { type: 'string', default: '0' },
  'retwis-scale': { type: 'string', default: '16' },
  'rubis-items': { type: 'string', default: '30000' },
  // a folder: each answer is appended to raw.jsonl there
  out: { type: 'string' },
}, {
  only: unique(POINTS.map(({ workload }) => workload)),
  point: unique(POINTS.map(({ name }) => name)),
  condition: CONDITIONS.map(({ name }) => name),
  sending: ['interactive', 'one-shot'],
});

const points = (options.quick ? QUICK_POINTS : POINTS)
  .filter(({ workload }) => options.only === undefined || workload === options.only)
  .filter(({ name }) => options.point === undefined || options.point.includes(name));
const clientCounts = options.clients?.map(Number) ?? (options.quick ? QUICK_CLIENTS : CLIENTS);
const sendings = options.sending as Sending[];
const conditions = options.condition.map(conditionNamed);

type Cell = { point: Point; sending: Sending; clients: number; condition: string; answers: Answer[] };

function cellsOf(workload: WorkloadName): Cell[] {
  // The sites' transactions are interactive; rawmix can be sent whole as well.
  const ways: Sending[] = workload === 'rawmix' ? sendings : ['interactive'];
  return points.filter((point) => point.workload === workload).flatMap((point) =>
    ways.flatMap((sending) => clientCounts.flatMap((clients) => conditions.map(({ name }): Cell => ({ point, sending, clients, condition: name, answers: [] })))));
}

async function measure(cells: readonly Cell[], cluster: Cluster): Promise<void> {
  const driver = new DriverProcess<Question, Answer>(new URL('../paper/driver.ts', import.meta.url), []);
  try {
    let run = 0;
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const { answers, ...what } of cells) {
        await setConditions(cluster, conditionNamed(what.condition));
        const answer = await driver.ask({
          ...what,
          addresses: cluster.gateways.map(({ grpc }) => grpc),
          gateway_pids: cluster.gateways.map(({ pid }) => pid),
          seconds: Number(options.seconds),
          seed: Number(options.seed) + round,
          poll_us: Number(options.poll),
          retwis_scale: Number(options['retwis-scale']),
          rubis_items: Number(options['rubis-items']),
          run: `r${run++}`,
        });
        answers.push(answer);
        keep({ ...what, round, ...answer });
      }
    }
  } finally {
    await driver.close();
  }
}

function keep(row: object): void {
  if (options.out === undefined) return;
  mkdirSync(options.out, { recursive: true });
  appendFileSync(`${options.out}/raw.jsonl`, `${JSON.stringify(row)}\n`);
}

function say(cells: readonly Cell[]): void {
  const middle = ({ answers }: Cell, figure: (answer: Answer) => number) => median(answers.map(figure));
  const speed = (cell: Cell) => middle(cell, ({ txn_per_s }) => txn_per_s);
  console.log(table(
    ['point', 'sending', 'clients', 'condition', 'txn/s', 'of none', 'p50 ms', 'p99 ms', 'retries', 'driver CPU', 'gateways CPU'],
    cells.map((cell) => {
      const { point, sending, clients, condition } = cell;
      const none = cells.find((other) => other.point === point && other.sending === sending && other.clients === clients && other.condition === 'none');
      return [
        `${point.workload} ${point.name}`, sending, String(clients), condition, Math.round(speed(cell)).toLocaleString('en'),
        none === undefined ? '' : (speed(cell) / speed(none)).toFixed(2),
        middle(cell, ({ p50_ms }) => p50_ms).toFixed(2),
        middle(cell, ({ p99_ms }) => p99_ms).toFixed(2),
        middle(cell, ({ retries_per_commit }) => retries_per_commit).toFixed(2),
        middle(cell, ({ driver_cpu }) => driver_cpu).toFixed(2),
        middle(cell, ({ gateway_cpu }) => gateway_cpu.reduce((sum, cpu) => sum + cpu, 0)).toFixed(2),
      ];
    }),
  ));
}

for (const workload of new Set(points.map((point) => point.workload))) {
  const cells = cellsOf(workload);
  await withCluster(Number(options.shards), {}, (cluster) => measure(cells, cluster));
  say(cells);
}
