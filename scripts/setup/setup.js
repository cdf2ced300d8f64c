// Sets up a fresh clone. Each step first checks whether it is needed, which takes milliseconds.
import { setImmediate } from 'node:timers/promises';
import { inProject } from '../paths.js';
import { Problem } from '../run/problem.js';
import { ensureBrowser } from './browser.js';
import { BENCH_PACKAGES, CACHE_PACKAGES, CLOCK_PACKAGES, CORE_PACKAGES, FORMAT_PACKAGES, ensurePackages } from './debian.js';
import { ensureK6 } from './k6.js';
import { withLock } from './lock.js';
import { ensureNatsServer } from './nats-server.js';
import { buildNative } from './native.js';
import { ensureNode24 } from './node24.js';
import { ensureModules } from './npm.js';
import { buildPages } from './web.js';

/** What only one process at a time may do in a tree. Commands that need other parts do not wait for it. */
const LOCKS = {
  packages: 'installs npm packages',
  debian: 'installs Debian packages',
  core: 'builds the C++ core',
  pages: 'builds the pages',
};

/** The last work of this process under each lock. @type {Map<string, Promise<unknown>>} */
const queues = new Map();

/**
 * @template T
 * @param {keyof typeof LOCKS} name @param {() => Promise<T>} work @returns {Promise<T>}
 */
function alone(name, work) {
  const locked = () =>
    withLock(inProject('.data', `${name}.lock`), work, ({ pid }) =>
      console.log(`  waiting for process ${pid}, which ${LOCKS[name]} in ${inProject()}`),
    );
  const turn = (queues.get(name) ?? Promise.resolve()).then(locked, locked);
  queues.set(name, turn);
  return turn;
}

/** @param {string[]} packages */
const debian = (packages) => alone('debian', () => ensurePackages(packages));

/** What waits for Ninja: only one can run in a folder, and it keeps all processors busy only if it has much to do. */
let nextBuild = /** @type {{parts: string[], targets: string[], done: Promise<void>} | null} */ (null);

/** Builds for the release, together with all else that waits. @param {string} part for people @param {string[]} targets of CMake */
function native(part, targets) {
  if (nextBuild === null) {
    const parts = [];
    const all = [];
    const done = alone('core', async () => {
      await setImmediate(); // what becomes due with this comes along
      nextBuild = null;
      return buildNative(`C++ core: ${parts.join(', ')}`, all);
    });
    nextBuild = { parts, targets: all, done };
  }
  nextBuild.parts.push(part);
  nextBuild.targets.push(...targets);
  return nextBuild.done;
}

async function ensureNode() {
  await ensureModules();
  await ensureNode24();
}

/** @typedef {{after: string[], run: () => Promise<unknown>}} Work */

/** Each with the works that it depends on. @type {Record<string, Work>} */
const WORK = {
  /** npm packages and Node 24 */
  node: { after: [], run: () => alone('packages', ensureNode) },
  compiler: { after: [], run: () => debian(CORE_PACKAGES) },
  formatter: { after: ['compiler'], run: () => debian(FORMAT_PACKAGES) },
  /** part of the core, while npm waits for the network */
  types: { after: ['compiler'], run: () => native('types', ['claret_composed']) },
  addon: { after: ['types', 'node'], run: () => native('addon', ['claret_addon']) },
  /** the addon, and the program that tries types of one's own */
  core: { after: ['types', 'node'], run: () => native('addon', ['claret_addon', 'type_check']) },
  coreTests: { after: ['types', 'node'], run: () => native('tests', ['adt_test', 'core_test', 'laws', 'walkthrough_laws']) },
  /** what can make mistakes on purpose: the addon, and the core's tests */
  mutants: { after: ['types', 'node'], run: () => native('addon and tests with mistakes', ['claret_mutants', 'core_mistakes']) },
  /** the same, while the demo runs */
  coreBesideDemo: {
    after: ['addon'],
    run: () => alone('core', () => buildNative('the program that tries types of your own', ['type_check'], { gently: true })),
  },
  laws: { after: ['compiler'], run: () => native('laws', ['laws']) },
  sanitized: {
    after: ['compiler'],
    run: () => alone('core', () => buildNative('C++ core under sanitizers', [], { preset: 'sanitize' })),
  },
  benchLibrary: { after: ['compiler'], run: () => debian(BENCH_PACKAGES) },
  benchmarks: {
    after: ['benchLibrary'],
    run: () => alone('core', () => buildNative('C++ core: benchmarks', ['core_bench'], { settings: { CLARET_BENCH: 'ON' } })),
  },
  pages: { after: ['node'], run: () => alone('pages', buildPages) },
  k6: { after: [], run: () => ensureK6() },
  /** for replicated logs */
  nats: { after: [], run: () => ensureNatsServer() },
  browser: { after: ['formatter'], run: () => alone('debian', ensureBrowser) },
  caches: { after: ['browser'], run: () => debian(CACHE_PACKAGES) },
  /** wall clocks that can be set for one process */
  clocks: { after: ['compiler'], run: () => debian(CLOCK_PACKAGES) },
};

/** Throws the first Problem. @param {string[]} parts */
export async function setUp(...parts) {
  for (const problem of (await trySetUp(parts)).values()) throw problem;
}

/** No work is done twice by a process. @type {Map<string, Promise<unknown>>} */
const begunHere = new Map();

/** @param {string[]} parts @returns {Promise<Map<string, Problem>>} those that failed, and why */
export const trySetUp = (parts) => sideBySide(WORK, parts, begunHere);

/**
 * Runs the named works and their dependencies, each as soon as possible. A work whose dependency fails gets the same failure.
 * @param {Record<string, Work>} works @param {string[]} names @param {Map<string, Promise<unknown>>} begun works that are under way or done
 * @returns {Promise<Map<string, Problem>>} the `names` that failed; errors other than Problems are thrown
 */
export async function sideBySide(works, names, begun = new Map()) {
  const begin = (name) => {
    if (!begun.has(name)) begun.set(name, Promise.all(works[name].after.map(begin)).then(works[name].run));
    return begun.get(name);
  };
  const ends = await Promise.allSettled(names.map(begin));
  const failed = ends.flatMap((end, at) => (end.status === 'rejected' ? [[names[at], end.reason]] : []));
  for (const [, reason] of failed) if (!(reason instanceof Problem)) throw reason;
  return new Map(failed);
}
