// Cores: the processor time of each process of a storm, second by second, and the saturated processes. A Node process runs its
// JavaScript on the main thread alone: it is saturated when that thread is.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cpuUsIn, machineBusyUs } from '../../../kit/cpu.ts';

export interface Watched {
  /** "gateway 0", "auctions 1", "k6" */
  name: string;
  pid: number;
}

/** Processor use in one second, in cores; `main`: by the thread that runs the JavaScript. */
export interface CoresSecond {
  at_ms: number;
  /** of the machine */
  busy: number;
  processes: Readonly<Record<string, { all: number; main: number }>>;
}

const EVERY_MS = 1_000;

interface Reading {
  at_ms: number;
  busy_us: number;
  taken: Map<string, { all_us: number; main_us: number }>;
}

export class CoresSampler {
  readonly seconds: CoresSecond[] = [];
  readonly #watched: Watched[];
  readonly #timer: NodeJS.Timeout;
  #last: Reading;

  constructor(watched: readonly Watched[]) {
    this.#watched = [...watched];
    this.#last = this.#read();
    this.#timer = setInterval(() => this.#sample(), EVERY_MS);
  }

  add(watched: Watched): void {
    this.#watched.push(watched);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const before = this.#last;
    const now = (this.#last = this.#read());
    const cores = (us: number) => us / (1_000 * (now.at_ms - before.at_ms));
    const processes: Record<string, { all: number; main: number }> = {};
    for (const [name, { all_us, main_us }] of now.taken) {
      const earlier = before.taken.get(name);
      if (earlier !== undefined) processes[name] = { all: cores(all_us - earlier.all_us), main: cores(main_us - earlier.main_us) };
    }
    this.seconds.push({ at_ms: before.at_ms, busy: cores(now.busy_us - before.busy_us), processes });
  }

  #read(): Reading {
    const taken = new Map<string, { all_us: number; main_us: number }>();
    for (const { name, pid } of this.#watched) {
      try {
        const main_us = cpuUsIn(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8'));
        taken.set(name, { all_us: cpuUsIn(readFileSync(`/proc/${pid}/stat`, 'utf8')), main_us });
      } catch {
        // The process has ended.
      }
    }
    return { at_ms: Date.now(), busy_us: machineBusyUs(), taken };
  }
}

export interface Cores {
  /** average over the busiest seconds, by process; and for the whole machine */
  by_process: Record<string, number>;
  machine: number;
  bottleneck: string;
}

/** The length of the busiest interval: a storm's peak is short. */
const BUSIEST_SECONDS = 5;
const SATURATED = 0.9;

/** REQUIRES: at least one second. `cores`: number of cores of the machine. */
export function coresOf(seconds: readonly CoresSecond[], cores = availableParallelism()): Cores {
  const busiest = busiestOf(seconds);
  const mean = (of: (second: CoresSecond) => number) => rounded(busiest.reduce((sum, second) => sum + of(second), 0) / busiest.length);
  const names = [...new Set(busiest.flatMap(({ processes }) => Object.keys(processes)))];
  const machine = mean(({ busy }) => busy);
  const by_process = Object.fromEntries(names.map((name) => [name, mean(({ processes }) => processes[name]?.all ?? 0)]));
  const main = (name: string) => mean(({ processes }) => processes[name]?.main ?? 0);
  const saturated = names.filter((name) => name !== 'k6' && main(name) >= SATURATED).sort((a, b) => main(b) - main(a));
  return { by_process, machine, bottleneck: wordsFor({ saturated, by_process, machine, cores }) };
}

function busiestOf(seconds: readonly CoresSecond[]): readonly CoresSecond[] {
  const length = Math.min(BUSIEST_SECONDS, seconds.length);
  // Other load on the machine does not affect which seconds are the busiest.
  const taken = seconds.map(({ processes }) => Object.values(processes).reduce((sum, { all }) => sum + all, 0));
  const sumAt = (at: number) => taken.slice(at, at + length).reduce((sum, cores) => sum + cores, 0);
  let best = 0;
  for (let at = 1; at + length <= seconds.length; at++) if (sumAt(at) > sumAt(best)) best = at;
  return seconds.slice(best, best + length);
}

function wordsFor(taken: { saturated: readonly string[]; by_process: Record<string, number>; machine: number; cores: number }): string {
  const { saturated, by_process, machine, cores } = taken;
  if (saturated.length > 0) return `${saturated.join(', ')} (its thread is busy all the time)`;
  const most = Object.entries(by_process).sort(([, a], [, b]) => b - a)[0];
  if (machine < SATURATED * cores || most === undefined) return 'none: nothing was saturated';
  const ours = Object.values(by_process).reduce((sum, value) => sum + value, 0);
  if (ours < machine / 2) return `the machine, by work that is not the storm's (${(machine - ours).toFixed(2)} of its ${cores} cores)`;
  return `the machine (its ${cores} cores are busy; ${most[0]} takes the most, ${most[1].toFixed(2)})`;
}

const rounded = (value: number) => Math.round(value * 100) / 100;
