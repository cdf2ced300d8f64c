// Sets up a fresh clone. Each step first checks whether it is needed, which takes milliseconds.
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { ensureBrowser } from './browser.js';
import { BENCH_PACKAGES, CACHE_PACKAGES, CORE_PACKAGES, FORMAT_PACKAGES, ensurePackages } from './debian.js';
import { ensureK6 } from './k6.js';
import { withLock } from './lock.js';
import { ensureNatsServer } from './nats-server.js';
import { buildNative } from './native.js';
import { ensureNode24 } from './node24.js';
import { ensureModules } from './npm.js';
import { buildPages } from './web.js';

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
const alone = (work) =>
  withLock(inProject('.data', 'setup.lock'), work, (holder) =>
    console.log(`  waiting for another launcher (process ${holder}) to finish setting up`),
  );

async function ensureNode() {
  await ensureModules();
  await ensureNode24();
}

/** npm packages and Node 24. */
export const setUpNode = () => alone(ensureNode);

/** The tools of `npm run check` and `npm run format`. */
export const setUpChecks = () =>
  alone(async () => {
    await ensureNode();
    await ensurePackages(FORMAT_PACKAGES);
  });

/** @param {string} [preset] of CMake @param {string[]} [targets] of CMake; empty: all */
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

/** nats-server, for replicated logs. */
export const setUpNats = () => alone(ensureNatsServer);

/** CMake targets that need no npm package (the addon does), which are most of the work. */
const TESTS_OF_CORE = ['adt_test', 'core_test', 'laws', 'walkthrough_laws'];

/** @typedef {{after: string[], run: () => Promise<unknown>}} Work */

/** Works that tests need, each with the works that it depends on; independent works run in parallel. @type {Record<string, Work>} */
const WORK = {
  node: { after: [], run: ensureNode },
  compiler: { after: [], run: () => ensurePackages(CORE_PACKAGES) },
  formatter: { after: ['compiler'], run: () => ensurePackages(FORMAT_PACKAGES) }, // only one apt-get can run at a time
  coreTests: { after: ['compiler'], run: () => buildNative('release', TESTS_OF_CORE) }, // npm mostly waits for the network
  core: { after: ['coreTests', 'node'], run: () => buildNative('release') },
  mutants: { after: ['core'], run: () => buildNative('release', ['claret_mutants']) }, // only one Ninja can run in a folder
  pages: { after: ['node'], run: buildPages },
  k6: { after: [], run: () => ensureK6() },
  nats: { after: [], run: () => ensureNatsServer() },
  browser: { after: ['formatter'], run: ensureBrowser },
  caches: { after: ['browser'], run: () => ensurePackages(CACHE_PACKAGES) },
};

/** @param {string[]} names of `WORK` @returns {Promise<Map<string, Problem>>} the works that failed, and why */
export const setUpForTests = (names) => alone(() => sideBySide(WORK, names));

/**
 * Runs the named works and their dependencies, each as soon as possible. A work whose dependency fails gets the same failure.
 * @param {Record<string, Work>} works @param {string[]} names
 * @returns {Promise<Map<string, Problem>>} the `names` that failed; errors other than Problems are thrown
 */
export async function sideBySide(works, names) {
  const begun = new Map();
  const begin = (name) => {
    if (!begun.has(name)) begun.set(name, Promise.all(works[name].after.map(begin)).then(works[name].run));
    return begun.get(name);
  };
  const ends = await Promise.allSettled(names.map(begin));
  const failed = ends.flatMap((end, at) => (end.status === 'rejected' ? [[names[at], end.reason]] : []));
  for (const [, reason] of failed) if (!(reason instanceof Problem)) throw reason;
  return new Map(failed);
}
