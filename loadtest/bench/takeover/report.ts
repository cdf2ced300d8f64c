// A take-over in steps, and the figures of several.

import { median, quantile } from '../../kit/statistics.ts';
import { table } from '../../kit/table.ts';
import type { LogLine } from './cluster.ts';

/** Goals, with a lease of 2,000 ms: until the first commit, and the part of it after the lease. */
const GOAL_MS = { all: 3_000, afterLease: 200 };

/** Moments, in ms since the Unix epoch, in this order. */
export interface TakeOver {
  killed: number;
  /** the standby's wait for the end of the lease is over */
  leaseOver: number;
  /** the servers have confirmed it as the owner */
  owner: number;
  /** it has read the rest of the log */
  restored: number;
  /** it listens */
  ready: number;
  /** the first transaction that began after the kill has committed, for its client */
  committed: number;
}

const OWNER = 'owner of the shard';

/** The moments that the shard's new owner has logged. Throws if one is missing. */
export function momentsIn(lines: readonly LogLine[], shard: number): Omit<TakeOver, 'killed' | 'committed'> {
  const taken = lines.findIndex((line) => line.msg === OWNER && line['shard'] === shard);
  const owner = lines[taken] ?? missing(OWNER);
  const at = (msg: string) => lines.slice(taken).find((line) => line.msg === msg) ?? missing(msg);
  return { leaseOver: Number(owner['sinceMs']), owner: owner.time, restored: at('restored').time, ready: at('ready').time };
}

function missing(msg: string): never {
  throw new Error(`the new owner has not logged "${msg}"`);
}

/** The `--json` output. */
export interface Figures {
  p50_ms: number;
  p99_ms: number;
  after_lease_p99_ms: number;
  rounds: number;
}

export function figuresOf(takeOvers: readonly TakeOver[]): Figures {
  const all = takeOvers.map(({ killed, committed }) => committed - killed);
  const afterLease = takeOvers.map(({ leaseOver, committed }) => committed - leaseOver);
  return { p50_ms: median(all), p99_ms: quantile(all, 0.99), after_lease_p99_ms: quantile(afterLease, 0.99), rounds: takeOvers.length };
}

const STEPS: readonly [keyof TakeOver, keyof TakeOver, string][] = [
  ['killed', 'leaseOver', 'the lease ends'],
  ['leaseOver', 'owner', 'the servers confirm the owner'],
  ['owner', 'restored', 'earlier owners are shut out, and the rest of the log is read'],
  ['restored', 'ready', 'the other gateways are greeted, and the ports opened'],
  ['ready', 'committed', 'clients find the owner, and the first transaction commits'],
  ['leaseOver', 'committed', 'together, after the lease'],
  ['killed', 'committed', 'together'],
];

export function stepTable(takeOvers: readonly TakeOver[]): string {
  const rows = STEPS.map(([from, to, what]) => {
    const took = takeOvers.map((moments) => moments[to] - moments[from]);
    return [what, ...[median(took), Math.max(...took)].map((ms) => Math.round(ms).toLocaleString('en'))];
  });
  return table(['step', 'median ms', 'longest ms'], rows);
}

export function sentence({ p50_ms, p99_ms, after_lease_p99_ms: afterLease, rounds }: Figures, leaseMs: number): string {
  const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
  const isMet = p99_ms <= GOAL_MS.all && afterLease <= GOAL_MS.afterLease;
  const goal = `goals with a lease of 2,000 ms: p99 ${ms(GOAL_MS.all)}, of which ${ms(GOAL_MS.afterLease)} after the lease`;
  const verdict = leaseMs === 2_000 ? (isMet ? 'met' : 'missed') : 'not comparable';
  return `a shard whose gateway is killed answers again after ${ms(p50_ms)} (median of ${rounds}), p99 ${ms(p99_ms)}, of which p99 ${ms(afterLease)} after the lease of ${ms(leaseMs)} is over (${goal}): ${verdict}`;
}
