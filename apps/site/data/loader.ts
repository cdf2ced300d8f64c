// The shared part of the programs that load a site's data set into a running cluster.
//
//   --gateways A:P,B:P (127.0.0.1:7401), --seed N (1), and the flag that chooses among the site's data sets
//   CLARET_TOKEN in the environment: the cluster's token, if it has one
//
// Does nothing if the cluster already holds this data set. A data set is written once: a cluster with another data set, or with an
// incomplete one, is refused, since loading again would count everything twice.
import { parseArgs } from 'node:util';

import { connect, type Claret } from '@claret/client';

import { beginDataset, finishDataset } from './dataset.ts';

const SEED_MAX = 0xffff_ffff;
export const DEFAULT_SEED = 1;

/** Invalid arguments, or a cluster that cannot take the data set: nothing has been written. */
export class UsageError extends Error {}

export type Dataset = {
  /** the key of the record that names the cluster's data set */
  marker: string;
  name: string;
  seed: number;
  /** writes all of it; returns a summary in words */
  write: (claret: Claret) => Promise<string>;
};

export type Loader = {
  /** --<flag> <value> */
  flag: string;
  default: string;
  /** throws UsageError for an unknown value */
  choose: (value: string, seed: number) => Dataset;
};

/** Returns a one-line summary. */
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

/** The whole program, including its exit code: 2 for UsageError, 1 for any other error. */
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
