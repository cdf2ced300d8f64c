// From a fresh clone to something that runs. Each step looks first and is over in milliseconds when all is well.
import { inProject } from '../paths.js';
import { BENCH_PACKAGES, BROWSER_PACKAGES, CORE_PACKAGES, ensurePackages } from './debian.js';
import { withLock } from './lock.js';
import { buildNative } from './native.js';
import { ensureNode24 } from './node24.js';
import { ensureModules } from './npm.js';
import { buildPages } from './web.js';

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
const alone = (work) =>
  withLock(inProject('.data', 'setup.lock'), work, (holder) =>
    console.log(`  waiting for another launcher (process ${holder}) to finish setting up`),
  );

/** npm packages and Node 24. */
export const setUpNode = () =>
  alone(async () => {
    await ensureModules();
    await ensureNode24();
  });

/** @param {string} [preset] of CMake @param {string[]} [targets] of CMake; none: all */
export const setUpNative = (preset = 'release', targets = []) =>
  alone(async () => {
    await ensurePackages(CORE_PACKAGES);
    await buildNative(preset, targets);
  });

/** The micro-benchmarks of the core. */
export const setUpBenchmarks = () =>
  alone(async () => {
    await ensurePackages([...CORE_PACKAGES, ...BENCH_PACKAGES]);
    await buildNative('bench', ['core_bench']);
  });

export const setUpPages = () => alone(buildPages);

export const setUpBrowser = () => alone(() => ensurePackages(BROWSER_PACKAGES));
