// The paper's figures: throughput and latency of rawmix, rubis and retwis under each condition, side by side.

import { appendFileSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster, type Cluster } from '../../scripts/cluster.js';
import { CONDITIONS, conditionNamed } from '../paper/conditions.ts';
import { CLIENTS, POINTS, QUICK_CLIENTS, QUICK_POINTS, type Sending } from '../paper/points.ts';
import type { Answer, Question } from '../paper/question.ts';
import { DriverProcess } from './kit/driver-process.ts';
import { median } from './kit/statistics.ts';
import { table } from './kit/table.ts';

const { values: options } = parseArgs({
  options: {
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
    out: { type: 'string' },
  },
});

const points = (options.quick ? QUICK_POINTS : POINTS)
  .filter(({ workload }) => options.only === undefined || workload === options.only)
  .filter(({ name }) => options.point === undefined || options.point.includes(name));
const clientCounts = options.clients?.map(Number) ?? (options.quick ? QUICK_CLIENTS : CLIENTS);
const sendings = options.sending as Sending[];
const conditions = options.condition.map(conditionNamed);

async function setConditions(cluster: Cluster, name: string): Promise<void> {
  const { locks, phasing, combining } = conditionNamed(name);
  const answer = await fetch(`${cluster.gateways[0]!.rest}/v1/admin/conditions`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ locks, phasing, combining }),
  });
  if (!answer.ok) throw new Error(`the conditions were not set: ${answer.status} ${await answer.text()}`);
}

for (const workload of new Set(points.map((point) => point.workload))) {
  let cluster: Cluster | undefined;
  const interrupted = () => void cluster?.stop().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  const driver = new DriverProcess<Question, Answer>(new URL('../paper/driver.ts', import.meta.url), []);
  try {
    await startCluster({ shards: Number(options.shards), auctionServers: 0, ports: 'free', onStarting: (starting) => (cluster = starting) });
    const cells = points.filter((point) => point.workload === workload).flatMap((point) =>
      (workload === 'rawmix' ? sendings : (['interactive'] as Sending[])).flatMap((sending) =>
        clientCounts.flatMap((clients) => conditions.map((condition) => ({ point, sending, clients, condition: condition.name, answers: [] as Answer[] })))));
    let run = 0;
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const cell of cells) {
        await setConditions(cluster!, cell.condition);
        const { answers, ...what } = cell;
        const answer = await driver.ask({
          ...what,
          addresses: cluster!.gateways.map(({ grpc }) => grpc),
          gateway_pids: cluster!.gateways.map(({ pid }) => pid),
          seconds: Number(options.seconds),
          seed: Number(options.seed) + round,
          run: `r${run++}`,
        });
        answers.push(answer);
        if (options.out !== undefined) {
          mkdirSync(options.out, { recursive: true });
          appendFileSync(`${options.out}/raw.jsonl`, `${JSON.stringify({ ...what, round, ...answer })}\n`);
        }
      }
    }
    const middle = (answers: Answer[], figure: (answer: Answer) => number) => median(answers.map(figure));
    console.log(table(
      ['point', 'sending', 'clients', 'condition', 'txn/s', 'of none', 'p50 ms', 'p99 ms', 'retries', 'driver CPU', 'gateways CPU'],
      cells.map(({ point, sending, clients, condition, answers }) => {
        const none = cells.find((other) => other.point === point && other.sending === sending && other.clients === clients && other.condition === 'none');
        const rate = middle(answers, (answer) => answer.txn_per_s);
        return [
          `${point.workload} ${point.name}`, sending, String(clients), condition, Math.round(rate).toLocaleString('en'),
          none === undefined ? '' : (rate / middle(none.answers, (answer) => answer.txn_per_s)).toFixed(2),
          middle(answers, (answer) => answer.p50_ms).toFixed(2),
          middle(answers, (answer) => answer.p99_ms).toFixed(2),
          middle(answers, (answer) => answer.retries_per_commit).toFixed(2),
          middle(answers, (answer) => answer.driver_cpu).toFixed(2),
          middle(answers, (answer) => answer.gateway_cpu.reduce((sum, cpu) => sum + cpu, 0)).toFixed(2),
        ];
      }),
    ));
  } finally {
    await driver.close();
    await cluster?.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
  }
}
