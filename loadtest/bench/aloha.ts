// Lists of blind writes and of reads, as ALOHA-KV runs them: in epochs, by locks, without transactions.
//
// Registers of 8 bytes, uniformly drawn from --keys, on two gateway processes over loopback, and a driver process that keeps --in-flight lists of --size
// operations in flight; half of the lists read. Cells take turns, round after round, every other round backwards. A figure is the median of the rounds,
// a ratio the median of the ratios within them. At the end of each cell what is stored is compared with what was acknowledged: each record holds
// the write with the greatest commit timestamp.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { withCluster } from '../kit/with-cluster.ts';
import { draw } from './aloha/figure.ts';
import { WAYS, type Answer, type Question } from './aloha/question.ts';
import { listsTable, targetsOf } from './aloha/report.ts';
import { cellsOf, rowsOf, type RawRow } from './aloha/row.ts';
import { RawFile } from './paper/raw.ts';

const SHARDS = 2;

const options = readFlags(
  {
    json: { type: 'string' },
    out: { type: 'string' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    keys: { type: 'string', default: '100000' },
    'in-flight': { type: 'string', default: '64' },
    way: { type: 'string', multiple: true, default: [...WAYS] },
    size: { type: 'string', multiple: true, default: ['10', '100', '1000', '4000'] },
  },
  { way: WAYS },
);
const { json, out, ...noted } = options;
const [seconds, rounds, seed, keys, inFlight] = [options.seconds, options.rounds, options.seed, options.keys, options['in-flight']].map(
  Number,
) as [number, number, number, number, number];

const { commit, dirty } = thisCommit();
const machine = thisMachine();
const raw = out === undefined ? null : new RawFile<RawRow>(resolve(out));
if (raw !== null && raw.peek().length > 0) {
  console.error(`${out} holds a run already: --out FOLDER begins another`);
  process.exit(2);
}
raw?.append({ kind: 'run', benchmark: 'aloha', commit, dirty, machine, begun_at: new Date().toISOString(), seed, options: noted });
console.log(
  `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}\n` +
    `${inFlight} lists in flight; medians of ${rounds} rounds of ${seconds} s; seed ${seed}\n`,
);

const cells = cellsOf(
  options.size.map(Number),
  WAYS.filter((way) => options.way.includes(way)),
  inFlight,
);
const progress = new Progress();
await withCluster(SHARDS, {}, async ({ gateways }) => {
  const driver = new DriverProcess<Question, Answer>(new URL('./aloha/driver.ts', import.meta.url), []);
  const servers = { addresses: gateways.map(({ grpc }) => grpc), pids: gateways.map(({ pid }) => pid) };
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { way, size, answers } of round % 2 === 0 ? cells : cells.toReversed()) {
        progress.show(`round ${round + 1} of ${rounds}, lists of ${size}, ${way}`);
        answers.push(await driver.ask({ ...servers, way, size, inFlight, keys, seed: seed + round, seconds }));
      }
    }
  } finally {
    await driver.close();
  }
});
progress.end();

const rows = rowsOf(cells);
for (const row of rows) raw?.append({ kind: 'figures', ...row });
console.log([listsTable(rows), '', ...targetsOf(rows)].join('\n'));
if (json !== undefined) writeFileSync(json, `${JSON.stringify(rows, null, 2)}\n`);
if (raw !== null) for (const path of await draw(resolve(out!), raw.peek())) console.log(path);
