// The memory of processes in bytes: of a gateway from its /metrics.

import { readFileSync } from 'node:fs';

export interface Levels {
  /** of the process, as counted by the system */
  resident: number;
  /** in use on the JavaScript heap */
  heap: number;
  /** memory that V8 has reserved for young objects, in use or not; it grows in steps, up to a bound of V8 */
  young: number;
  /** memory of C++ objects that JavaScript references */
  external: number;
}

const NAMES: Record<keyof Levels, string> = {
  resident: 'claret_process_resident_memory_bytes',
  heap: 'claret_nodejs_heap_size_used_bytes',
  young: 'claret_nodejs_heap_space_size_total_bytes{space="new"}',
  external: 'claret_nodejs_external_memory_bytes',
};
const KINDS = Object.keys(NAMES) as (keyof Levels)[];

const levelsOf = (read: (kind: keyof Levels) => number) => Object.fromEntries(KINDS.map((kind) => [kind, read(kind)])) as unknown as Levels;

export async function readLevels(rest: string): Promise<Levels> {
  const text = await (await fetch(`${rest}/metrics`)).text();
  return levelsOf((kind) => {
    const line = text.split('\n').find((one) => one.startsWith(`${NAMES[kind]} `));
    if (line === undefined) throw new Error(`${rest}/metrics lacks ${NAMES[kind]}`);
    return Number(line.slice(NAMES[kind].length));
  });
}

const PAGE_BYTES = 4_096;

/** Resident memory of a process of this machine, as Linux counts it. */
export const residentOf = (pid: number): number => PAGE_BYTES * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);

export function leastOf(samples: readonly Levels[]): Levels {
  return levelsOf((kind) => Math.min(...samples.map((sample) => sample[kind])));
}

/** The slope of values that are a minute apart, by least squares. */
export function slopePerMinute(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = values.reduce((sum, _, x) => sum + (x - middle) ** 2, 0);
  return spread === 0 ? 0 : values.reduce((sum, value, x) => sum + (x - middle) * (value - mean), 0) / spread;
}
