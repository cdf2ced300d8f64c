// In place of @claret/core, in a gateway that is sabotaged (sabotage.ts): the addon claret_mutants, with the mistake that this module's URL names.
import type { Shard as CoreShard } from '@claret/core';
import { mutants, type Mutation } from '../mutants.ts';

const addon = mutants(new URL(import.meta.url).search.slice(1) as Mutation);
export const { catalogue, slotOf, releaseMemory } = addon;
export const Shard: new (...options: ConstructorParameters<typeof CoreShard>) => CoreShard = addon.Shard;
