// npm run sim: a whole cluster, its clients, network, clocks, disks and crashes in one process, all from one seed.
//   npm run sim -- --seed N --minutes M      M simulated minutes of that seed
//   npm run sim -- --for 10m                 fresh seeds, as many as there is time for (s, m or h)
//   --plan NAME  --workload NAME             instead of those that the seed draws (plans/, workloads/)
//   --history FILE                           the attempts, one JSON line each (docs/history.md); of the run that failed, or the last
// The last line names the verdict; exit code 1 unless it is `history ok`.
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { run } from './run.ts';
import type { RunReport } from './run.ts';

/** Of one seed, where only wall time was asked for. */
const MINUTES_EACH = 0.25;
const EXCERPTS_MAX = 5;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    for: { type: 'string' },
    plan: { type: 'string' },
    workload: { type: 'string' },
    history: { type: 'string' },
  },
});

function numberOf(text: string, name: string): number {
  const number = Number(text);
  if (!(number >= 0)) throw new Error(`--${name} takes a number, not "${text}"`);
  return number;
}

function millisecondsOf(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text) ?? [];
  if (number === undefined) throw new Error(`--for takes a time such as 90s, 10m or 2h, not "${text}"`);
  return Number(number) * { s: 1_000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h'];
}

const minutes = numberOf(values.minutes ?? String(values.seed === undefined ? MINUTES_EACH : 1), 'minutes');
const reports: RunReport[] = [];

async function one(seed: number): Promise<boolean> {
  const report = await run({ seed, minutes, plan: values.plan, workload: values.workload });
  const { history, violations, ...figures } = report;
  reports.push({ ...report, history: [] });
  const ok = violations.length === 0;
  const faults = Object.entries(figures.faultsByName).filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`);
  console.log(`seed ${seed}: ${figures.plan}, ${figures.workload}, ${figures.committed} committed, ${figures.aborted} aborted, ${figures.unknown} unknown; ${faults.join(', ') || 'no faults'}; digest ${figures.digest.slice(0, 16)}`);
  if (values.history !== undefined) writeFileSync(values.history, history.map((attempt) => `${JSON.stringify(attempt)}\n`).join(''));
  for (const { rule, text } of violations.slice(0, EXCERPTS_MAX)) console.log(`  ${rule}: ${text}`);
  if (violations.length > EXCERPTS_MAX) console.log(`  and ${violations.length - EXCERPTS_MAX} more`);
  if (!ok) console.log(`Replay it: npm run sim -- --seed ${seed} --minutes ${minutes} --plan ${figures.plan} --workload ${figures.workload}`);
  return ok;
}

function verdict(ok: boolean): string {
  const sum = (of: (report: RunReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const [first, last] = [reports[0]!, reports.at(-1)!];
  const seeds = reports.length === 1 ? `seed ${first.seed}` : `seeds ${first.seed} to ${last.seed} (${reports.length})`;
  const figures = `${(sum((report) => report.simulatedMs) / 60_000).toFixed(1)} simulated minutes, ${sum((report) => report.committed)} committed, ${sum((report) => report.aborted)} aborted, ${sum((report) => report.faults)} faults`;
  return `${seeds}: ${figures}, ${ok ? 'history ok' : `${last.violations[0]!.rule} violated by seed ${last.seed}`}`;
}

async function main(): Promise<number> {
  const untilMs = performance.now() + (values.for === undefined ? 0 : millisecondsOf(values.for));
  let seed = values.seed === undefined ? randomInt(2 ** 31) : numberOf(values.seed, 'seed');
  let ok = await one(seed);
  while (ok && performance.now() < untilMs) ok = await one(++seed);
  console.log(verdict(ok));
  return ok ? 0 : 1;
}

process.exitCode = await main();
