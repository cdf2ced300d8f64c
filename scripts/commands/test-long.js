// npm run test:long: tests that take too long for every change: load tests, every page at every size, long random runs. It runs
// what `npm test` leaves out (files named *.long.test.ts, browser tests tagged @long, phones), then fresh seeds of everything
// random.
//   npm run test:long                    all
//   npm run test:long -- --only crash    one section
//   npm run test:long -- --minutes 20    minutes of simulation (default 5), and of clocks that jump (default 10)
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { Problem } from '../run/problem.js';
import { buildFolder } from '../setup/native.js';
import { node24 } from '../setup/node24.js';
import { trySetUp } from '../setup/setup.js';
import { mistakes } from './mistakes.js';
import { browser, histories, longScripts, ts } from './sections.js';
import { runSections } from './test.js';
import { clock } from './times.js';

const LAWS_TIMES = 40;
/** of each kind of storm of the core's tests; it differs from kind to kind in `npm test` */
const STORM_SEEDS = 30;
const MINUTES = { simulation: 5, clocks: 10 };
/** of each kind of history that the check is tried on */
const HISTORY_SEEDS = 40;
/** with logs on the gateways' disks; with a replicated log; with it on machines that are cut off */
const CRASH_ROUNDS = { local: 40, replicated: 12, onMachines: 6 };
const SKIPPED = 'skipped: ';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A program whose exit code reports success counts as one test.
 * @param {string} command @param {string[]} args @param {{timeoutMs?: number, env?: NodeJS.ProcessEnv}} [options]
 */
const program =
  (command, args, { timeoutMs = HOUR_MS, env } = {}) =>
  async () => {
    const { code, output, timedOut } = await runTool(command, args, { cwd: inProject(), timeoutMs, env });
    const lines = output.trimEnd().split('\n');
    const failed = code === 0 && !timedOut ? 0 : 1;
    const skipped = failed === 0 && lines.at(-1).startsWith(SKIPPED) ? 1 : 0;
    return { tally: { passed: 1 - failed - skipped, failed, skipped, why: lines.at(-1) }, output: lines.slice(-60).join('\n') };
  };

/** @param {number} minutes */
const sim = (minutes) => program(node24(), [inProject('loadtest', 'proofs', 'simulation', 'main.ts'), '--for', `${minutes}m`]);

const storms = () =>
  program(join(buildFolder(), 'core_test'), ['--gtest_filter=*/Storms.*'], { env: { CLARET_SEEDS: String(STORM_SEEDS) } })();

const CRASH = inProject('loadtest', 'proofs', 'crash', 'main.ts');

/** @param {string[]} args */
const crash = (...args) => program(node24(), [CRASH, ...args]);

/** @param {number} minutes */
const clocks = (minutes) =>
  program(node24(), [CRASH, '--clocks', '--minutes', String(Math.ceil(minutes))], { timeoutMs: minutes * MINUTE_MS + HOUR_MS });

/** @param {number} [minutes] */
const sectionsFor = (minutes) => [
  { name: 'laws', run: () => program(join(buildFolder(), 'laws'), [`--times=${LAWS_TIMES}`])() },
  { name: 'storms', run: storms },
  { name: 'mistakes', run: mistakes },
  { name: 'scripts', run: longScripts },
  { name: 'ts', run: () => ts(['.long.test.']) },
  { name: 'browser', run: () => browser([]) },
  { name: 'histories', run: () => histories(HISTORY_SEEDS) },
  { name: 'sim', run: () => sim(minutes ?? MINUTES.simulation)() },
  { name: 'crash', run: () => crash('--rounds', String(CRASH_ROUNDS.local))() },
  { name: 'clocks', run: () => clocks(minutes ?? MINUTES.clocks)() },
  { name: 'take-overs', run: () => crash('--rounds', String(CRASH_ROUNDS.replicated), '--log', 'jetstream')() },
  { name: 'machines', run: () => crash('--rounds', String(CRASH_ROUNDS.onMachines), '--log', 'jetstream', '--machines')() },
];

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function testLong(args) {
  let values;
  try {
    ({ values } = parseArgs({ args, options: { only: { type: 'string' }, minutes: { type: 'string' } } }));
  } catch (error) {
    throw new Problem(error.message.split('\n')[0]);
  }
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) throw new Problem(`--minutes takes a number above 0, not "${values.minutes}".`);
  const all = sectionsFor(minutes);
  const sections = all.filter(({ name }) => values.only === undefined || name === values.only);
  if (sections.length === 0) throw new Problem(`--only takes one of ${all.map(({ name }) => name).join(', ')}; not "${values.only}".`);
  const stop = clock();
  const wrong = await trySetUp(['node', 'core', 'coreTests', 'mutants', 'pages', 'k6', 'nats', 'browser', 'caches', 'clocks']);
  for (const problem of new Set(wrong.values())) throw problem;
  process.env.CLARET_LONG = '1'; // read by vitest.config.ts and playwright.config.ts
  return runSections(sections, stop);
}
