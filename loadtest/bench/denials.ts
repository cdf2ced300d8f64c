// The baseline without phasing: how often, and how soon, a denied operation should be repeated, for each kind of lock.
//
// Without phasing a conflicting operation is denied at once (the paper, section 6): the client repeats it a number of times,
// keeping its locks, then aborts the attempt and retries later. Both delays are uniform up to a bound that doubles. The benchmark
// sweeps the parameters under rawmix, interactive, on two gateway processes and a driver process over loopback. A bad policy would
// weaken the baseline of all comparisons: the client uses the best one found here.
//
// Cells take turns, round after round; a figure is the median of the rounds. After each cell the sets are compared with the
// committed adds. A policy's score is the geometric mean, over the points, of its share of the point's best.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { median } from '../kit/statistics.ts';
import { table } from '../kit/table.ts';
import { setConditions, withCluster } from '../kit/with-cluster.ts';
import type { Answer, Locks, Policy, Question } from './denials/question.ts';

const SHARDS = 2;
const LOCKS: Locks[] = ['rw', 'abstract'];

const options = readFlags({
  json: { type: 'string' },
  seconds: { type: 'string', default: '0.6' },
  rounds: { type: 'string', default: '3' },
  seed: { type: 'string', default: '1' },
  alpha: { type: 'string', multiple: true, default: ['0.6', '1', '1.4'] },
  clients: { type: 'string', multiple: true, default: ['16', '128'] },
  repeats: { type: 'string', multiple: true, default: ['0', '1', '2', '4', '8', '32'] },
  'denial-us': { type: 'string', multiple: true, default: ['50/400', '200/2000', '1000/10000'] },
  'attempt-us': { type: 'string', multiple: true, default: ['200/20000', '2000/20000', '2000/200000'] },
});

interface Cell {
  locks: Locks;
  alpha: number;
  clients: number;
  policy: Policy;
  answers: Answer[];
}

interface Row extends Policy {
  locks: Locks;
  alpha: number;
  clients: number;
  txn_per_s: number;
  retries_per_commit: number;
  denials_per_commit: number;
}

function policies(): Policy[] {
  const bounds = (text: string) => text.split('/').map(Number) as [number, number];
  const all = options.repeats.map(Number).flatMap((denialsMax) =>
    (denialsMax === 0 ? ['0/0'] : options['denial-us']).flatMap((denial) =>
      options['attempt-us'].map((attempt) => {
        const [denialFirstUs, denialLongestUs] = bounds(denial);
        const [attemptFirstUs, attemptLongestUs] = bounds(attempt);
        return { denialsMax, denialFirstUs, denialLongestUs, attemptFirstUs, attemptLongestUs };
      }),
    ),
  );
  return all;
}

const nameOf = ({ denialsMax, denialFirstUs, denialLongestUs, attemptFirstUs, attemptLongestUs }: Policy) =>
  `${denialsMax} x ${denialFirstUs}..${denialLongestUs}, attempt ${attemptFirstUs}..${attemptLongestUs}`;

function rowOf({ answers, locks, alpha, clients, policy }: Cell): Row {
  const middle = (figure: (answer: Answer) => number) => median(answers.map(figure));
  return {
    locks,
    alpha,
    clients,
    ...policy,
    txn_per_s: Math.round(middle((answer) => answer.txn_per_s)),
    retries_per_commit: Math.round(100 * middle((answer) => answer.retries_per_commit)) / 100,
    denials_per_commit: Math.round(100 * middle((answer) => answer.denials_per_commit)) / 100,
  };
}

async function measure(locks: Locks, alpha: number): Promise<Cell[]> {
  const cells = options.clients
    .map(Number)
    .flatMap((clients) => policies().map((policy): Cell => ({ locks, alpha, clients, policy, answers: [] })));
  await withCluster(SHARDS, {}, async (cluster) => {
    await setConditions(cluster, { locks, phasing: false, combining: 'off' });
    const addresses = cluster.gateways.map(({ grpc }) => grpc);
    const driver = new DriverProcess<Question, Answer>(new URL('./denials/driver.ts', import.meta.url), []);
    try {
      for (let round = 0; round < Number(options.rounds); round++) {
        for (const [number, { clients, policy, answers }] of cells.entries()) {
          const seed = Number(options.seed) + round;
          answers.push(
            await driver.ask({ addresses, alpha, clients, policy, seed, seconds: Number(options.seconds), name: `${round}.${number}` }),
          );
        }
      }
    } finally {
      await driver.close();
    }
  });
  return cells;
}

function say(locks: Locks, rows: Row[]): void {
  const points = [...new Set(rows.map(({ alpha, clients }) => `${alpha}/${clients}`))];
  const best = new Map(
    points.map((point) => [
      point,
      Math.max(...rows.filter(({ alpha, clients }) => `${alpha}/${clients}` === point).map((row) => row.txn_per_s)),
    ]),
  );
  const scored = policies().map((policy) => {
    const own = rows.filter((row) => nameOf(row) === nameOf(policy));
    const score = Math.exp(
      own.reduce((sum, row) => sum + Math.log(row.txn_per_s / best.get(`${row.alpha}/${row.clients}`)!), 0) / own.length,
    );
    return { policy, own, score };
  });
  scored.sort((a, b) => b.score - a.score);
  console.log(`\n${locks}, without phasing: committed transactions per second (retries per commit), best policy first\n`);
  const head = ['repeats x wait µs, attempt wait µs', 'score', ...points.map((point) => `alpha/clients ${point}`)];
  console.log(
    table(
      head,
      scored.map(({ policy, own, score }) => [
        nameOf(policy),
        score.toFixed(2),
        ...own.map((row) => `${row.txn_per_s.toLocaleString('en')} (${row.retries_per_commit.toFixed(2)})`),
      ]),
    ),
  );
}

const rows: Row[] = [];
for (const locks of LOCKS) {
  for (const alpha of options.alpha.map(Number)) rows.push(...(await measure(locks, alpha)).map(rowOf));
  say(
    locks,
    rows.filter((row) => row.locks === locks),
  );
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
