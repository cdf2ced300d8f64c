// Digests of simulated runs: each is over every frame that was delivered, every byte that was given to a disk, and every event. A change of the
// core that is to change no behaviour leaves all of them as they were. They depend on clients, gateways and the simulation too, so they are
// kept beside a change, not in the project: `npm run sim -- --digests FILE` writes them at first, and compares with them from then on.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { PAIRS } from './pairs.ts';
import { PLANS } from './plans/index.ts';
import { run, type RunOptions } from './run.ts';
import { WORKLOADS } from '../workloads/index.ts';

const MINUTES = 0.03;

type Digests = Record<string, string>;

interface How {
  /** of each run, simulated */
  minutes?: number | undefined;
  /** the last run first: each has others before it in its process */
  backwards?: boolean;
}

/** Each workload once, under all plans in turn; then each under the next plan; and when all pairs have had their turn, with further seeds. */
function runsOf(count: number, minutes: number): RunOptions[] {
  return Array.from({ length: count }, (_, n) => {
    const j = n % WORKLOADS.length;
    const i = (j + Math.floor(n / WORKLOADS.length)) % PLANS.length;
    const { plan, workload, seed } = PAIRS[i * WORKLOADS.length + j]!;
    return { seed: seed + 100_000 * Math.floor(n / PAIRS.length), minutes, plan, workload };
  });
}

const nameOf = ({ seed, minutes, plan, workload }: RunOptions) =>
  `--seed ${seed} --minutes ${minutes} --plan ${plan} --workload ${workload}`;

/** Those of `count` runs that differ from the file's, as arguments of `npm run sim`; none if there was no file, which is written then. */
export async function compareDigests(path: string, count: number, { minutes = MINUTES, backwards = false }: How = {}): Promise<string[]> {
  const before = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Digests) : null;
  const now: Digests = {};
  const different: string[] = [];
  const runs = runsOf(count, minutes);
  for (const options of backwards ? runs.toReversed() : runs) {
    const name = nameOf(options);
    now[name] = (await run(options)).digest;
    if (before !== null && before[name] !== now[name]) different.push(before[name] === undefined ? `${name}, which the file lacks` : name);
  }
  if (before === null) writeFileSync(path, `${JSON.stringify(now, null, 1)}\n`);
  return different;
}
