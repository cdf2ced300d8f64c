// The frame of a program that loads a site's data set into a running cluster.
//
//   --gateways A:P,B:P (127.0.0.1:7401), --seed N (1), and the flag that chooses among the site's data sets
//   CLARET_TOKEN in the environment: the cluster's token, where it has one
//
// Does nothing when it stands there already. A data set is written once: a cluster with another one, or with one whose
// loading broke off, is refused, since what is counted would be counted a second time.
import { parseArgs } from 'node:util';

import { connect, type Claret } from '@claret/client';

import { beginDataset, finishDataset } from './dataset.ts';

const SEED_MAX = 0xffff_ffff;
export const DEFAULT_SEED = 1;

/** Wrongly called, or for a cluster that cannot take it: nothing has been written. */
export class UsageError extends Error {}

export type Dataset = {
  /** the record that says which one stands here */
  marker: string;
  name: string;
  seed: number;
  /** writes it all; tells what it has written, in words */
  write: (claret: Claret) => Promise<string>;
};

export type Loader = {
  /** --<flag> <value> */
  flag: string;
  default: string;
  /** throws UsageError for a value that there is not */
  choose: (value: string, seed: number) => Dataset;
};

/** What has been done, in a line. */
export async function load(claret: Claret, { marker, name, seed, write }: Dataset): Promise<string> {
  const present = await beginDataset(claret, marker, { name, seed });
  if (present.state === 'loaded' && present.name === name && present.seed === seed) return `${name} (seed ${seed}) is there already`;
  if (present.state !== 'none') {
    const state = present.state === 'loaded' ? 'holds' : 'holds a part of';
    throw new UsageError(`this cluster ${state} the data set ${present.name} (seed ${present.seed}); start an empty one`);
  }
  const began = performance.now();
  const written = await write(claret);
  await finishDataset(claret, marker);
  return `loaded ${name} (seed ${seed}) in ${((performance.now() - began) / 1_000).toFixed(1)} s: ${written}`;
}

/** The whole program, up to its exit code: 2 for UsageError, 1 for what else went wrong. */
export async function runLoader(loader: Loader): Promise<void> {
  try {
    const { addresses, dataset } = readFlags(loader);
    const claret = await connect({ addresses, token: process.env['CLARET_TOKEN'] ?? '', name: 'load' });
    try {
      console.log(await load(claret, dataset));
    } finally {
      await claret.close();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function readFlags({ flag, default: standard, choose }: Loader): { addresses: string[]; dataset: Dataset } {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const options = { gateways: text('127.0.0.1:7401'), seed: text(String(DEFAULT_SEED)), [flag]: text(standard) };
  let values: Record<string, string>;
  try {
    values = parseArgs({ options }).values as Record<string, string>;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const seed = /^\d+$/.test(values['seed']!) ? Number(values['seed']) : NaN;
  if (!(seed <= SEED_MAX)) throw new UsageError(`--seed is a whole number up to ${SEED_MAX}`);
  const addresses = values['gateways']!.split(',').filter((address) => address !== '');
  return { addresses, dataset: choose(values[flag]!, seed) };
}
