// Replaces @claret/core in a sabotaged gateway (sabotage.ts): all of it, but the addon is claret_mutants, with the mistake named in this module's
// URL.
import type { Shard as CoreShard } from '@claret/core';
import { mutants, type Mutation } from '../mutants.ts';

export * from '../../../server-core/core.js';
const addon = mutants(new URL(import.meta.url).search.slice(1) as Mutation);
export const { RespSockets, catalogue, readDefinition, slotOf, releaseMemory } = addon;
export const Shard: new (...options: ConstructorParameters<typeof CoreShard>) => CoreShard = addon.Shard;
