// The time for which the processes of a benchmark poll after a frame. Polling saves wake-ups and needs a CPU for each process: with
// fewer CPUs, a polling process keeps another from running.

import { availableParallelism } from 'node:os';
import { WrongUse } from './wrong-use.ts';

const POLL_US = 300;

/** Microseconds: the flag's value, or a default for one driver beside this number of processes: the shards, and further drivers. Throws `WrongUse`. */
export function pollUsFor(beside: number, flag: string | undefined): number {
  if (flag === undefined) return availableParallelism() > beside ? POLL_US : 0;
  if (!/^\d+$/.test(flag)) throw new WrongUse(`--poll takes whole microseconds, not "${flag}"`);
  return Number(flag);
}
