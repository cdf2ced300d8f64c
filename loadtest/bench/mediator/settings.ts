// The settings of a run, from its flags.

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFlags } from '../../kit/arguments.ts';
import { pollUsFor } from '../../kit/polling.ts';
import { WrongUse } from '../../kit/wrong-use.ts';
import type { RunRow } from './raw.ts';

export interface Settings {
  shards: readonly number[];
  sizes: readonly number[];
  alphas: readonly number[];
  /** shares of reads */
  reads: readonly number[];
  /** shares of natives */
  shares: readonly number[];
  clients: number;
  rounds: number;
  seed: number;
  /** of one cell's span; null: as long as `minutes` allows */
  seconds: number | null;
  minutes: number;
  /** microseconds for which driver and gateways poll after a frame; null: depends on the number of shards */
  poll: string | undefined;
  /** folder for the results */
  folder: string;
  /** as recorded with the results */
  noted: RunRow['options'];
}

const FULL = {
  shards: ['1', '2'],
  sizes: ['4', '20'],
  alphas: ['0', '1', '1.4'],
  reads: ['0', '0.5', '0.9', '1'],
  step: '10',
  rounds: '3',
};
/** At most two minutes. */
const QUICK = { ...FULL, shards: ['1'], alphas: ['1'], step: '25', rounds: '1' };
const MINUTES = { quick: '1.5', full: '90' };

export function readSettings(now: Date = new Date()): Settings {
  const quick = process.argv.includes('--quick');
  const grid = quick ? QUICK : FULL;
  const options = readFlags(
    {
      quick: { type: 'boolean', default: false },
      shards: { type: 'string', multiple: true, default: grid.shards },
      // transactions have 1 to this many operations
      size: { type: 'string', multiple: true, default: grid.sizes },
      // 0: uniform
      alpha: { type: 'string', multiple: true, default: grid.alphas },
      // shares of reads, 0 to 1
      reads: { type: 'string', multiple: true, default: grid.reads },
      // percent between two shares of natives
      step: { type: 'string', default: grid.step },
      clients: { type: 'string', default: '256' },
      rounds: { type: 'string', default: grid.rounds },
      minutes: { type: 'string', default: quick ? MINUTES.quick : MINUTES.full },
      seconds: { type: 'string' },
      poll: { type: 'string' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string' },
    },
    {},
    (values) => {
      const counts = { shards: values.shards, size: values.size, rounds: [values.rounds], clients: [values.clients] };
      for (const [name, given] of Object.entries(counts)) {
        if (!given.every((text) => Number.isInteger(Number(text)) && Number(text) >= 1))
          throw new WrongUse(`--${name} takes whole numbers from 1 on`);
      }
      if (values.reads.some((text) => Number(text) > 1)) throw new WrongUse('--reads takes shares from 0 to 1');
      if (!(Number(values.step) > 0) || 100 % Number(values.step) !== 0) throw new WrongUse('--step takes a divisor of 100');
      if (values.seconds !== undefined && !(Number(values.seconds) > 0)) throw new WrongUse('--seconds takes a number above 0');
      pollUsFor(1, values.poll);
    },
  );
  const step = Number(options.step);
  const results = fileURLToPath(new URL('../../results/', import.meta.url));
  const { out, ...noted } = options;
  return {
    shards: options.shards.map(Number),
    sizes: options.size.map(Number),
    alphas: options.alpha.map(Number),
    reads: options.reads.map(Number),
    shares: Array.from({ length: 100 / step + 1 }, (_, i) => (i * step) / 100),
    clients: Number(options.clients),
    rounds: Number(options.rounds),
    seed: Number(options.seed),
    seconds: options.seconds === undefined ? null : Number(options.seconds),
    minutes: Number(options.minutes),
    poll: options.poll,
    folder: resolve(out ?? `${results}${now.toISOString().slice(0, 10)}-mediator${quick ? '-quick' : ''}`),
    noted: { ...(JSON.parse(JSON.stringify(noted)) as RunRow['options']), durability: 'none' },
  };
}
