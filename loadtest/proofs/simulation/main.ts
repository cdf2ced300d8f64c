// npm run sim: a whole cluster, its clients, network, clocks, disks and crashes in one process, all from one seed. USAGE lists the
// arguments. The last line is the verdict; exit code 1 unless it is `history ok`, 2 for wrong arguments.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { quantile } from '../../kit/statistics.ts';
import { runCommand, WrongUse } from '../../kit/wrong-use.ts';
import { historyFile } from '../history/file.ts';
import { compareDigests } from './digests.ts';
import type { Standstill } from './freezes.ts';
import { ALL_PLANS } from './plans/index.ts';
import { run } from './run.ts';
import type { RunReport } from './run.ts';
import { ALL_WORKLOADS } from '../workloads/index.ts';

/** Simulated minutes of each seed if only a wall time was given. */
const MINUTES_EACH = 0.25;
const EXCERPTS_MAX = 5;
/** whose digests are compared */
const RUNS = 200;

const namesOf = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(', ');

const USAGE = `npm run sim -- --seed N --minutes M    M simulated minutes (1) of that seed
npm run sim -- --for 10m               fresh seeds, as many as there is time for (s, m or h)
npm run sim -- --digests FILE          writes what 200 short runs gave; if there is the file, tells which runs differ
  --runs N          instead of 200
  --minutes M       of each of them, instead of .03
  --plan NAME       instead of the one that the seed draws: ${namesOf(ALL_PLANS)}
  --workload NAME   likewise: ${namesOf(ALL_WORKLOADS)}
  --history FILE    the attempts of the run that failed, or the last, one JSON line each (docs/history.md)

Examples:
  npm run sim -- --seed 7 --minutes 2
  npm run sim -- --for 10m --plan clocks`;

interface Arguments {
  seed: number;
  minutes: number;
  forMs: number;
  plan: string | undefined;
  workload: string | undefined;
  history: string | undefined;
  digests: Digests | undefined;
}

interface Digests {
  path: string;
  runs: number;
  minutes: number | undefined;
}

/** Throws WrongUse. */
function readArguments(): Arguments {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { seed: text, minutes: text, for: text, plan: text, workload: text, history: text, digests: text, runs: text },
  });
  const minutes = values.minutes === undefined ? undefined : numberOf(values.minutes, /^(\d+\.?\d*|\.\d+)$/, '--minutes takes a number');
  const runs = values.runs === undefined ? RUNS : numberOf(values.runs, /^\d{1,6}$/, '--runs takes a whole number');
  return {
    seed: values.seed === undefined ? randomInt(2 ** 31) : numberOf(values.seed, /^\d{1,10}$/, '--seed takes a whole number'),
    minutes: minutes ?? (values.seed === undefined ? MINUTES_EACH : 1),
    forMs: values.for === undefined ? 0 : millisecondsOf(values.for),
    plan: nameIn(ALL_PLANS, values.plan, '--plan'),
    workload: nameIn(ALL_WORKLOADS, values.workload, '--workload'),
    history: values.history,
    digests: values.digests === undefined ? undefined : { path: values.digests, runs, minutes },
  };
}

function numberOf(text: string, shape: RegExp, takes: string): number {
  if (!shape.test(text)) throw new WrongUse(`${takes}, not "${text}"`);
  return Number(text);
}

function millisecondsOf(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text) ?? [];
  if (number === undefined) throw new WrongUse(`--for takes a time such as 90s, 10m or 2h, not "${text}"`);
  return Number(number) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}

function nameIn(all: readonly { name: string }[], name: string | undefined, flag: string): string | undefined {
  if (name === undefined || all.some((known) => known.name === name)) return name;
  throw new WrongUse(`${flag} takes one of ${namesOf(all)}; not "${name}"`);
}

const reports: RunReport[] = [];

async function one(seed: number, { minutes, plan, workload, history: path }: Arguments): Promise<boolean> {
  const file = path === undefined ? null : historyFile(path);
  const report = await run({ seed, minutes, plan, workload, onAttempt: file?.write });
  file?.close();
  const { violations, ...figures } = report;
  reports.push(report);
  const ok = violations.length === 0;
  const faults = Object.entries(figures.faultsByName)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`);
  console.log(
    `seed ${seed}: ${figures.plan}, ${figures.workload}, ${figures.committed} committed, ${figures.aborted} aborted, ${figures.unknown} unknown; ${faults.join(', ') || 'no faults'}; digest ${figures.digest.slice(0, 16)}`,
  );
  for (const line of linesOf(figures.standstills)) console.log(`  ${line}`);
  for (const { rule, text } of violations.slice(0, EXCERPTS_MAX)) console.log(`  ${rule}: ${text}`);
  if (violations.length > EXCERPTS_MAX) console.log(`  and ${violations.length - EXCERPTS_MAX} more`);
  if (!ok)
    console.log(`Replay it: npm run sim -- --seed ${seed} --minutes ${minutes} --plan ${figures.plan} --workload ${figures.workload}`);
  return ok;
}

/** One line each for the freezes with locks and those without. */
function* linesOf(standstills: readonly Standstill[]): Generator<string> {
  for (const [locks, which] of [
    [false, ''],
    [true, ', with locks held'],
  ] as const) {
    const ms = standstills.filter((freeze) => freeze.locks === locks).map((freeze) => freeze.ms);
    if (ms.length === 0) continue;
    const [most, high, middle] = [1, 0.99, 0.5].map((q) => quantile(ms, q).toFixed(1));
    yield `frozen in a turn${which}: ${ms.length} times; meanwhile others ended nothing for at most ${most} ms (99 %: ${high}, median: ${middle})`;
  }
}

function verdict(ok: boolean): string {
  const sum = (of: (report: RunReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const [first, last] = [reports[0]!, reports.at(-1)!];
  const seeds = reports.length === 1 ? `seed ${first.seed}` : `seeds ${first.seed} to ${last.seed} (${reports.length})`;
  const figures = `${(sum((report) => report.simulatedMs) / 60_000).toFixed(1)} simulated minutes, ${sum((report) => report.committed)} committed, ${sum((report) => report.aborted)} aborted, ${sum((report) => report.faults)} faults`;
  return `${seeds}: ${figures}, ${ok ? 'history ok' : `${last.violations[0]!.rule} violated by seed ${last.seed}`}`;
}

async function digests({ path, runs, minutes }: Digests): Promise<number> {
  const isNew = !existsSync(path);
  const different = await compareDigests(path, runs, { minutes });
  for (const name of different) console.log(`not as before: ${name}`);
  console.log(isNew ? `the digests of ${runs} runs are in ${path} now` : `${runs - different.length} of ${runs} runs as in ${path}`);
  return different.length === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const asked = readArguments();
  if (asked.digests !== undefined) return digests(asked.digests);
  const untilMs = performance.now() + asked.forMs;
  let { seed } = asked;
  let ok = await one(seed, asked);
  while (ok && performance.now() < untilMs) ok = await one(++seed, asked);
  if (reports.length > 1) for (const line of linesOf(reports.flatMap((report) => report.standstills))) console.log(line);
  console.log(verdict(ok));
  return ok ? 0 : 1;
}

await runCommand(USAGE, main);
