// Fan-out: what a Post costs with 10, 1,000 and 10,000 followers, and how it affects all others.
//
// Two gateway processes over loopback hold a Kronecker graph and three people with a fixed number of followers, to whose timelines
// their posts are added. First each of them posts, one post at a time, alone. Then ordinary people look at their timelines and post
// (a bounded number at once, with think times; half of them follow the famous) while a famous person posts without a pause, or once
// a second, in a separate app server; in `calm` no famous person posts. These loads take turns, round after round; a figure is the
// median of the rounds' percentiles, a ratio the median of the ratios to the same round's calm.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { FAMOUS, type Answer, type Question } from './fanout/question.ts';
import { summary, type Figures } from './fanout/report.ts';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { table } from '../kit/table.ts';
import { withCluster } from '../kit/with-cluster.ts';

const SHARDS = 2;

const options = readFlags({
  json: { type: 'string' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '3' },
  clients: { type: 'string', default: '8' },
  'think-ms': { type: 'string', default: '10' },
  scale: { type: 'string', default: '10' },
  seed: { type: 'string', default: '1' },
  // folder for CPU profiles of drivers and gateways
  profile: { type: 'string' },
});

const [rounds, seconds, clients, think_ms, scale, seed] = [
  options.rounds,
  options.seconds,
  options.clients,
  options['think-ms'],
  options.scale,
  options.seed,
].map(Number) as [number, number, number, number, number, number];

const profiling = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(options.profile)}`];

type Driver = DriverProcess<Question, Answer>;

/** The famous person who posts in the background; `every_ms` 0: without a pause. */
interface StarLoad {
  name: string;
  followers: number;
  every_ms: number;
}

const LOADS: readonly StarLoad[] = [
  { name: 'calm', followers: 0, every_ms: 0 },
  ...FAMOUS.map((followers) => ({ name: `${followers.toLocaleString('en')} followers`, followers, every_ms: 0 })),
  { name: '10,000 once a second', followers: 10_000, every_ms: 1_000 },
];

async function measure({ followers, every_ms }: StarLoad, ordinary: Driver, star: Driver, round: number): Promise<Answer> {
  const felt = ordinary.ask({ what: 'others', clients, think_ms, seconds, seed: seed + round });
  if (followers === 0) return felt;
  const { post } = await star.ask({ what: 'posts', followers, seconds, every_ms });
  return { ...(await felt), famous: post! };
}

const alone = new Map<string, Answer[]>();
const beside = new Map<string, Answer[]>(LOADS.map(({ name }) => [name, []]));

await withCluster(SHARDS, profiling.length === 0 ? {} : { NODE_OPTIONS: profiling.join(' ') }, async (cluster) => {
  const args = [String(2 ** scale), ...cluster.gateways.map(({ grpc }) => grpc)];
  const start = (): Driver => new DriverProcess(new URL('./fanout/driver.ts', import.meta.url), args, profiling);
  const [ordinary, star] = [start(), start()];
  try {
    await ordinary.ask({ what: 'load', scale, seed });
    await measure(LOADS[0]!, ordinary, star, -1); // compilers and connections settle
    for (const followers of FAMOUS) await star.ask({ what: 'posts', followers, seconds: 0.5, every_ms: 0 });
    for (let round = 0; round < rounds; round++) {
      for (const followers of FAMOUS) {
        const name = followers.toLocaleString('en');
        alone.set(name, [...(alone.get(name) ?? []), await star.ask({ what: 'posts', followers, seconds: seconds / 2, every_ms: 0 })]);
      }
      for (const one of LOADS) beside.get(one.name)!.push(await measure(one, ordinary, star, round));
      console.error(`round ${round + 1} of ${rounds}`);
    }
  } finally {
    await Promise.all([ordinary.close(), star.close()]);
  }
});

const figures: Figures[] = [
  ...[...alone].flatMap(([name, answers]) => summary(`alone, ${name}`, answers, null)),
  ...[...beside].flatMap(([name, answers]) => summary(name, answers, beside.get('calm')!)),
];
const show = (ms: number) => ms.toFixed(2);
const showRatio = (ratio: number | null) => (ratio === null ? '' : `${ratio.toFixed(2)} x`);
console.log(`${rounds} rounds of ${seconds} s; ${clients} ordinary people at once, thinking ${think_ms} ms; ${2 ** scale} people\n`);
console.log(
  table(
    ['famous', 'who', 'count', 'p50 ms', 'p99 ms', 'p50 to calm', 'p99 to calm'],
    figures.map(({ part: name, who, count, p50_ms, p99_ms, p50_ratio, p99_ratio }) => [
      name,
      who,
      count.toLocaleString('en'),
      show(p50_ms),
      show(p99_ms),
      showRatio(p50_ratio),
      showRatio(p99_ratio),
    ]),
  ),
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
