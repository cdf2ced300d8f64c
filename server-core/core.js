// Loads the addon that CMake built.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const load = createRequire(import.meta.url);

function loadAddon() {
  try {
    return load('./build/release/claret_core.node');
  } catch (cause) {
    const [why] = cause.message.split('\n');
    const message =
      `The native core cannot be loaded: ${why}. In the repository, every npm command builds it. An installed package is ` +
      'built by `npm rebuild @claret/gateway --foreground-scripts`, which says what is missing for that.';
    throw Object.assign(new Error(message, { cause }), { code: 'CLARET_CORE_NOT_LOADED' });
  }
}

export const { Shard, RespSockets, catalogue, readDefinition, slotOf, releaseMemory } = loadAddon();

/** The program that tries the laws on the definition of a data type (src/composed/type_check_main.cc). */
export const TYPE_CHECK = fileURLToPath(new URL('./build/release/type_check', import.meta.url));
