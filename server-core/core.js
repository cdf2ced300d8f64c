// Loads the addon that CMake built. Nothing else happens here.
import { createRequire } from 'node:module';

const addon = createRequire(import.meta.url)('./build/release/claret_core.node');

export const { Shard, catalogue, slotOf } = addon;
