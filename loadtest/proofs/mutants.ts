// The core with a deliberate mistake (the addon claret_mutants). A run of a proof must find the mistake.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { RespSockets, Shard, ShardOptions, catalogue, readDefinition, releaseMemory, slotOf } from '@claret/core';

const HEADER = new URL('../../server-core/src/ground/mutation.h', import.meta.url);

/** A mistake's name, as in `enum class Mutation`, in words with hyphens: "skip-conflict" */
export type Mutation = string;

const wordsOf = (name: string) => name.replaceAll(/\B[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
/** In order; the first is "none". */
const MUTATIONS: readonly Mutation[] = [...readFileSync(HEADER, 'utf8').matchAll(/^ {2}k(\w+),/gm)].map(([, name]) => wordsOf(name!));

interface Mutants {
  Shard: new (options: ShardOptions) => Shard;
  RespSockets: typeof RespSockets;
  catalogue: typeof catalogue;
  readDefinition: typeof readDefinition;
  slotOf: typeof slotOf;
  releaseMemory: typeof releaseMemory;
  mutate(mutation: number): void;
}

/** The addon `claret_mutants`; all its shards have this mistake until another is requested. Throws if it is not built, and for an unknown mistake. */
export function mutants(mutation: Mutation): Mutants {
  const number = MUTATIONS.indexOf(mutation);
  if (number < 0) throw new Error(`There is no mistake "${mutation}" in ${HEADER.pathname}.`);
  const addon = createRequire(import.meta.url)('../../server-core/build/release/claret_mutants.node') as Mutants;
  addon.mutate(number);
  return addon;
}

export function shardsWith(mutation: Mutation): (options: ShardOptions) => Shard {
  const addon = mutants(mutation);
  return (options) => new addon.Shard(options);
}
