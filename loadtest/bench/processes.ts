// Processes: whether every fresh client process is as fast as any other, with few and with many transactions in flight.
//
// Garbage that outlives its transactions makes a process slow by chance, and for life: its young generation is then collected in tens of
// milliseconds instead of two or three. So each process here is fresh. It keeps a number of one-shot rawmix transactions in flight on one
// gateway (a closed loop), and is measured after a warm-up. Processes take turns by that number, and ratios are between neighbours, so
// that other work on the machine affects both sides alike.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { throwFirst } from '../kit/checking.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { Progress } from '../kit/progress.ts';
import { median } from '../kit/statistics.ts';
import { withCluster } from '../kit/with-cluster.ts';
import type { Answer, Question } from './processes/question.ts';
import { processesTable, verdicts, type Round } from './processes/report.ts';

const options = readFlags({
  json: { type: 'string' },
  // of each number in flight
  processes: { type: 'string', default: '20' },
  'in-flight': { type: 'string', multiple: true, default: ['64', '256', '512'] },
  seconds: { type: 'string', default: '3' },
  'warm-seconds': { type: 'string', default: '2' },
  seed: { type: 'string', default: '1' },
});
const [processes, seconds, warm_seconds, seed] = [options.processes, options.seconds, options['warm-seconds'], options.seed].map(
  Number,
) as [number, number, number, number];
const inFlights = options['in-flight'].map(Number);

async function measure(question: Question): Promise<Answer> {
  const driver = new DriverProcess<Question, Answer>(new URL('./processes/driver.ts', import.meta.url), []);
  try {
    const answer = await driver.ask(question);
    throwFirst(answer.mismatches);
    return answer;
  } finally {
    await driver.close();
  }
}

const progress = new Progress();
const rounds: Round[] = [];
for (let i = 0; i < processes; i++) {
  // A gateway becomes slower with what it stores, and no process should profit from coming earlier.
  await withCluster(1, {}, async ({ gateways: [gateway] }) => {
    const { grpc: address, pid } = gateway!;
    const round = new Map<number, Answer>();
    for (const inFlight of inFlights) {
      progress.show(`process ${i + 1} of ${processes}, ${inFlight} in flight`);
      round.set(inFlight, await measure({ address, pid, inFlight, warm_seconds, seconds, seed: seed + i }));
    }
    rounds.push(round);
  });
}
progress.end();

const others = median(rounds.flatMap((round) => [...round.values()].map(({ others_cpu }) => others_cpu)));
console.log(
  `${processes} processes of each kind, ${seconds} s each; other processes used ${others.toFixed(2)} CPUs. Medians, and in brackets the worst process.\n`,
);
console.log(`${processesTable(rounds)}\n\n${verdicts(rounds).join('\n')}`);
if (options.json !== undefined) {
  const rows = rounds.flatMap((round, i) => [...round].map(([in_flight, answer]) => ({ process: i + 1, in_flight, ...answer })));
  writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
}
