// Ways: the way that clients choose for their transactions, beside each way that could be fixed, at the points of the papers' figures.
//
// Locks, chains (everything that can be forecast is), the choice between both, and the choice with promised results take turns, round after round, on
// the same data. After each cell the stored data is compared with the acknowledged transactions; a mismatch ends the run with code 1.

import { writeFileSync } from 'node:fs';
import { readFlags } from '../kit/arguments.ts';
import { CHAINED, WARRANTED } from '../kit/conditions.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { pollUsFor } from '../kit/polling.ts';
import { duration, Progress } from '../kit/progress.ts';
import { table } from '../kit/table.ts';
import { WrongUse } from '../kit/wrong-use.ts';
import { measure } from './paper/measure.ts';
import { Mismatch } from './paper/mismatch.ts';
import { Pace } from './paper/pace.ts';
import { cellsIn, planOf } from './paper/plan.ts';
import { POINTS } from './paper/points.ts';
import type { CellRow } from './paper/raw.ts';
import type { Settings } from './paper/settings.ts';
import { comparisonsOf, LEAST, PROMISED_LEAST, shortfalls, type Comparison, type WayName } from './ways/verdict.ts';

const CONDITIONS: ReadonlyMap<string, WayName> = new Map([
  ['abstract+phasing', 'locks'],
  [CHAINED.name, 'chains'],
  ['abstract+combining+phasing', 'auto'],
  [WARRANTED.name, 'promises'],
]);

const options = readFlags(
  {
    point: { type: 'string', multiple: true, default: POINTS.map(({ name }) => name) },
    clients: { type: 'string', default: '64' },
    shards: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
  { point: [...new Set(POINTS.map(({ name }) => name))] },
  ({ clients, shards, rounds, seconds }) => {
    for (const [name, text] of Object.entries({ clients, shards, rounds }))
      if (!(Number.isInteger(Number(text)) && Number(text) >= 1)) throw new WrongUse(`--${name} takes a whole number from 1 on`);
    if (!(Number(seconds) > 0)) throw new WrongUse('--seconds takes a number above 0');
  },
);
const settings: Settings = {
  points: POINTS.filter(({ name }) => options.point.includes(name)),
  sendings: ['interactive', 'one-shot'],
  clients: [Number(options.clients)],
  conditions: [...CONDITIONS.keys()],
  rounds: Number(options.rounds),
  shards: Number(options.shards),
  drivers: 1,
  deferral: true,
  poll: pollUsFor(Number(options.shards), undefined),
  seed: Number(options.seed),
  retwisScale: 12,
  rubisItems: 30_000,
  seconds: Number(options.seconds),
  minutes: 0,
  quick: false,
  folder: '',
  json: options.json,
  profile: null,
  fresh: true,
  noted: { ...options, durability: 'none' },
};
const progress = new Progress();
process.exitCode = await run();

async function run(): Promise<number> {
  const { seconds, rounds, clients, shards, seed } = settings;
  const blocks = planOf(settings, new Set());
  const pace = new Pace(0, { fixed: seconds! });
  const left = pace.left(performance.now() / 1_000, { cells: cellsIn(blocks), blocks: blocks.length });
  const { commit, dirty } = thisCommit();
  const machine = thisMachine();
  console.log(
    `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}
medians of ${rounds} rounds of ${seconds} s, ${clients} clients, shards ${shards}, durability none, seed ${seed}; about ${duration(left)}
`,
  );
  const cells: CellRow[] = [];
  try {
    await measure(blocks, { settings, pace, progress, keep: (row) => row.kind === 'cell' && cells.push(row) });
    progress.end();
  } catch (error) {
    progress.end();
    console.error(error instanceof Mismatch ? error.message : error);
    return 1;
  }
  const comparisons = comparisonsOf(cells, (condition) => CONDITIONS.get(condition)!);
  say(comparisons);
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ commit, machine, comparisons }, null, 2)}\n`);
  return 0;
}

/** A shortfall is reported, and fails nothing: which share is reached depends on what else the machine does. */
function say(comparisons: readonly Comparison[]): void {
  const head = ['transactions a second', 'locks', 'chains', 'auto', 'of the better', 'promises', 'of auto'];
  const count = (per_s: number) => Math.round(per_s).toLocaleString('en');
  const rows = comparisons.map(({ name, per_s, auto, promises }) => [
    name,
    ...[per_s.locks, per_s.chains, per_s.auto].map(count),
    auto.toFixed(2),
    count(per_s.promises),
    promises.toFixed(2),
  ]);
  console.log(table(head, rows));
  const short = shortfalls(comparisons);
  const goal = `auto is to have ${LEAST.point} of the better way at each point and ${LEAST.middle} in the middle; promises ${PROMISED_LEAST} of auto`;
  console.log(short.length === 0 ? `\n${goal}: they do.` : `\n${goal}. Short of it:\n${short.map((text) => `  ${text}`).join('\n')}`);
}
