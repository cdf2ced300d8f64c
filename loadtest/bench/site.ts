// Site: what a browser does at Claret's two sites, by HTTP, beside the same auctions on Redis and on PostgreSQL.
//
// Actions arrive whatever has become of earlier ones (a Poisson process): keyed bids on hot auctions, pages with all of their requests, posts. A
// twentieth of the keys is sent again, to the other app server. Live readers look on. A round has one span at a fixed rate, for latencies and CPU
// times, and a search for the highest rate with a p99 below 250 ms. Contenders run side by side and take turns, round after round, so that other
// work on the machine affects all alike. After each round the site is asked what it has: a change that was acknowledged is there exactly once, or
// this ends with code 1. Driver and servers share the processors.

import { writeFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { readFlags } from '../kit/arguments.ts';
import { DriverProcess } from '../kit/driver-process.ts';
import { thisCommit, thisMachine } from '../kit/machine.ts';
import { Progress } from '../kit/progress.ts';
import { WrongUse } from '../kit/wrong-use.ts';
import {
  cpuBetween,
  cpuNow,
  DURABILITIES,
  NAMES,
  startContender,
  urlsFor,
  whyNot,
  type Contender,
  type Durability,
  type Name,
  type Plan,
} from './site/contenders.ts';
import { hasHeld, Ladder } from './site/ladder.ts';
import { MIXES, type Answer, type Mix, type Question, type SpanFigures } from './site/question.ts';
import { mismatchesOf, nameOf, rowsOf, tablesOf, tryOf, wayOf, type Cell, type Round, type Row, type Try } from './site/report.ts';

/** Actions per second of the span with a fixed rate, far below what any contender holds on two processors. */
const FIXED: Readonly<Record<Mix, number>> = { 'bid-heavy': 200, 'read-heavy': 50, 'post-heavy': 50 };
const FIXED_SPANS = 2;
/** Compilers need some time with a fresh process; a process that others have kept waiting needs less. */
const WARM = { first: { seconds: 3, factor: 2 }, again: { seconds: 0.5, factor: 1 } };
/** Steps of the ladder: after the first round, the search begins near its end. */
const STRIDE = { first: 2, again: 1 };

const options = readFlags(
  {
    mix: { type: 'string', multiple: true, default: ['bid-heavy', 'read-heavy'] },
    against: { type: 'string', multiple: true, default: [...NAMES] },
    servers: { type: 'string', multiple: true, default: ['2'] },
    shards: { type: 'string', multiple: true, default: ['1', '2'] },
    durability: { type: 'string', multiple: true, default: [...DURABILITIES] },
    rounds: { type: 'string', default: '3' },
    // of a span
    seconds: { type: 'string', default: '1.5' },
    // of the span with a fixed rate, and the first one of the search; by default it depends on the mix
    rate: { type: 'string' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
  { mix: MIXES, against: NAMES, durability: DURABILITIES },
  ({ rate, seconds, rounds }) => {
    if (rate !== undefined && !(Number(rate) > 0)) throw new WrongUse(`--rate takes actions per second, not "${rate}"`);
    if (!(Number(seconds) > 0 && Number(rounds) >= 1)) throw new WrongUse('--seconds and --rounds are at least one');
  },
);
const [rounds, seconds, seed] = [options.rounds, options.seconds, options.seed].map(Number) as [number, number, number];
const mixes = options.mix as Mix[];
const progress = new Progress();
const say = (text: string) => {
  progress.end();
  console.log(text);
};
const rateOf = (mix: Mix) => (options.rate === undefined ? FIXED[mix] : Number(options.rate));

/** By mix and contender: the last result of a search, with which the next one begins, also the one with another durability. */
const found = new Map<string, number>();

type Driver = DriverProcess<Question, Answer>;

/** Claret with each number of shards, and the others. */
function plansFor(durability: Durability, servers: number): Plan[] {
  return names.flatMap((name): Plan[] =>
    name === 'claret'
      ? options.shards.map((shards) => ({ name, shards: Number(shards), servers, durability }))
      : [{ name, shards: null, servers, durability }],
  );
}

/** Runs the work with all of them, and stops them however it ends. */
async function withContenders(plans: readonly Plan[], work: (contenders: readonly Contender[]) => Promise<void>): Promise<void> {
  const contenders: Contender[] = [];
  const stop = () => Promise.all(contenders.map((contender) => contender.stop()));
  const interrupted = () => void stop().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupted);
  try {
    for (const plan of plans) {
      progress.show(`starting ${nameOf(plan)}, durability ${plan.durability}`, nameOf(plan));
      contenders.push(await startContender(plan, mixes));
    }
    await work(contenders);
  } finally {
    await stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupted);
  }
}

async function measure(driver: Driver, contender: Contender, mix: Mix, round: number): Promise<Round> {
  const { plan } = contender;
  const urls = urlsFor(contender, mix);
  const id = `${nameOf(plan)}, ${plan.servers}, ${plan.durability}, ${urls[0]}`;
  let number = 0;
  const span = async (rate: number, more: { seconds?: number; readsCosts?: boolean } = {}): Promise<SpanFigures> =>
    (await driver.ask({ ask: 'span', id, rate, seconds, number: number++, readsCosts: false, ...more })).span!;
  await driver.ask({ ask: 'begin', id, mix, urls, seed, round });
  const stage = round === 0 ? 'first' : 'again';
  await span(WARM[stage].factor * rateOf(mix), { seconds: WARM[stage].seconds });
  const before = cpuNow(contender);
  const fixed = await span(rateOf(mix), { seconds: FIXED_SPANS * seconds, readsCosts: plan.name === 'claret' });
  const cpu = cpuBetween(before, cpuNow(contender));
  // A p99 rests on few actions: other work on the machine may spoil one span, but hardly two.
  const tries: Try[] = [];
  const isHeld = async (rate: number) => {
    const figures = await span(rate);
    tries.push(tryOf(rate, figures));
    return hasHeld(figures);
  };
  const searched = `${mix} ${nameOf(plan)} ${plan.servers}`;
  const ladder = new Ladder(found.get(searched) ?? rateOf(mix), STRIDE[stage]);
  for (let rate = ladder.next; rate !== null; rate = ladder.next) {
    progress.show(`${where(contender, mix, round)}: ${rate.toFixed(0)} actions/s`);
    ladder.tell((await isHeld(rate)) || (tries.at(-1)!.abandoned === 0 && (await isHeld(rate))));
  }
  if (ladder.highest !== null) found.set(searched, ladder.highest);
  const { verdicts } = await driver.ask({ ask: 'end', id });
  return { highest_per_s: ladder.highest, tries, fixed, cpu, verdicts: verdicts! };
}

const where = ({ plan }: Contender, mix: Mix, round: number): string =>
  `durability ${plan.durability}, ${mix}, round ${round + 1} of ${rounds}, ${nameOf(plan)}`;

async function measureMix(driver: Driver, contenders: readonly Contender[], mix: Mix): Promise<Row[]> {
  const cells = contenders
    .filter((contender) => urlsFor(contender, mix).length > 0)
    .map((contender) => ({ contender, cell: { mix, plan: contender.plan, rounds: [] } as Cell }));
  if (cells.length === 0) return [];
  for (let round = 0; round < rounds; round++) {
    // None is always the first.
    for (const { contender, cell } of round % 2 === 0 ? cells : cells.toReversed()) {
      progress.show(where(contender, mix, round), `${mix} ${nameOf(cell.plan)}`);
      cell.rounds.push(await measure(driver, contender, mix, round));
    }
  }
  const rows = rowsOf(cells.map(({ cell }) => cell));
  const { durability, servers } = rows[0]!;
  say(`\n${mix}, durability ${durability}, ${servers} app ${servers === 1 ? 'server' : 'servers'}; fixed rate ${rateOf(mix)} actions/s\n`);
  say(`${tablesOf(rows)}\n`);
  for (const row of rows) if (wayOf(row) !== null) say(`${nameOf(row)}: ${wayOf(row)}`);
  for (const row of rows.filter(({ mixed }) => mixed > 0)) {
    say(`${nameOf(row)}: of the keys sent twice at once, one app server acknowledged and the other one refused ${row.mixed}`);
  }
  for (const mismatch of cells.flatMap(({ cell }) => mismatchesOf(cell))) {
    say(styleText('red', mismatch));
    process.exitCode = 1;
  }
  return rows;
}

const names = (options.against as Name[]).filter((name) => {
  const reason = whyNot(name);
  if (reason !== null) say(`Without ${name}: ${reason}`);
  return reason === null;
});
const { commit, dirty } = thisCommit();
const machine = thisMachine();
say(
  `Claret ${commit.slice(0, 12)}${dirty ? ' with uncommitted changes' : ''}; ${machine.cpu}, ${machine.cores} cores; Node ${machine.node}\n` +
    `medians of ${rounds} rounds, spans of ${seconds} s, seed ${seed}; the driver shares the processors with the servers`,
);
const rows: Row[] = [];
const driver: Driver = new DriverProcess(new URL('./site/driver.ts', import.meta.url), []);
try {
  for (const durability of options.durability as Durability[]) {
    for (const servers of options.servers.map(Number)) {
      await withContenders(plansFor(durability, servers), async (contenders) => {
        for (const mix of mixes) rows.push(...(await measureMix(driver, contenders, mix)));
      });
    }
  }
} finally {
  await driver.close();
  progress.end();
}
if (options.json !== undefined) {
  const run = { commit, dirty, machine, seed, rounds, seconds };
  writeFileSync(options.json, `${JSON.stringify({ run, rows }, null, 2)}\n`);
}
