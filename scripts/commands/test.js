// npm test: the tests that every change must pass; test-long.js has the rest. A failed section does not prevent the next from
// running.
//   npm test                        all
//   npm test -- client              the TypeScript tests whose path contains "client"
//   npm test -- server-core/src/gate/gate_test.cc
//                                   the C++ tests of one file
//   npm test -- apps/rubis/e2e      browser tests
//   npm test -- --only cpp Gate     one section, here the C++ tests whose name matches
//   npm test -- --times             where the time of the last run went
import { parseArgs } from 'node:util';
import { Problem } from '../run/problem.js';
import { endedSteps, step } from '../run/progress.js';
import { trySetUp } from '../setup/setup.js';
import { isCppTest } from './cpp.js';
import * as sections from './sections.js';
import { broken, line, sum } from './tally.js';
import { SLOWEST, clock, kept, table } from './times.js';

/**
 * name → runner, works without which it cannot run (Node is always set up), works that should be up to date, and lane. Lanes run in
 * parallel. Sections that keep all processors busy share a lane: in parallel they would run into timeouts
 */
const SECTIONS = {
  check: { run: sections.check, needs: ['formatter'], wants: [], lane: 0 },
  cpp: { run: sections.cpp, needs: ['coreTests'], wants: [], lane: 0 },
  ts: { run: sections.ts, needs: ['core'], wants: ['pages', 'nats'], lane: 0 },
  sim: { run: sections.sim, needs: ['core', 'mutants'], wants: [], lane: 0 },
  scripts: { run: sections.scripts, needs: ['core'], wants: ['pages', 'nats'], lane: 1 },
  browser: { run: sections.browser, needs: ['core', 'pages', 'browser'], wants: ['nats'], lane: 0 },
};

const looksLikeBrowserTest = (filter) => /\be2e\b|\.spec\.ts$/.test(filter);

function parsed(args) {
  try {
    return parseArgs({ args, options: { only: { type: 'string' }, times: { type: 'boolean' } }, allowPositionals: true });
  } catch (error) {
    throw new Problem(error.message.split('\n')[0]);
  }
}

/** @param {string[]} args @returns {{section: keyof typeof SECTIONS, filters: string[]}[]} */
export function chosen(args) {
  const { values, positionals } = parsed(args);
  const names = /** @type {(keyof typeof SECTIONS)[]} */ (Object.keys(SECTIONS));
  if (values.only !== undefined) {
    const section = names.find((name) => name === values.only);
    if (!section) throw new Problem(`--only takes one of ${names.join(', ')}; not "${values.only}".`);
    return [{ section, filters: positionals }];
  }
  if (positionals.length === 0) return names.map((section) => ({ section, filters: [] }));
  const cpp = positionals.filter(isCppTest);
  const browser = positionals.filter(looksLikeBrowserTest);
  const ts = positionals.filter((filter) => !looksLikeBrowserTest(filter) && !isCppTest(filter));
  return [
    ...(cpp.length > 0 ? [{ section: /** @type {const} */ ('cpp'), filters: cpp }] : []),
    ...(ts.length > 0 ? [{ section: /** @type {const} */ ('ts'), filters: ts }] : []),
    ...(browser.length > 0 ? [{ section: /** @type {const} */ ('browser'), filters: browser }] : []),
  ];
}

const summary = (name, tally) => `${tally.failed > 0 ? '✗' : '✓'} ${name}: ${line(tally)}${tally.why ? ` (${tally.why})` : ''}`;

/** @typedef {{name: string, run: () => Promise<sections.Outcome>}} Section */

/**
 * Runs sections and prints their results.
 * @param {(Section & {lane?: number})[]} list @param {ReturnType<typeof clock>} [stop] of the run that they end
 * @returns {Promise<number>} exit code
 */
export async function runSections(list, stop) {
  const setUp = endedSteps();
  const found = [];
  const times = [];
  const runLane = async (lane) => {
    for (const { name, run } of lane) {
      const began = Date.now();
      const { tally, output, parts = [] } = await step(name, run, (result) => summary(name, result.tally));
      times.push({ name, ms: Date.now() - began, parts });
      if (tally.failed > 0 && output) console.log(`\n${output}\n`);
      found.push(tally);
    }
  };
  const lanes = new Set(list.map(({ lane }) => lane));
  await Promise.all([...lanes].map((each) => runLane(list.filter(({ lane }) => lane === each))));
  stop?.(setUp, times);
  const total = sum(found);
  console.log(`\n${line(total)}`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @returns {number} exit code */
function showTimes() {
  const times = kept();
  console.log(times === null ? 'No run of the tests has ended here yet.' : table(times, SLOWEST.asked));
  return 0;
}

/** Parts of the set-up. Files of C++ tests have programs of their own, which are built when they run. */
function neededBy(section, filters) {
  if (section === 'cpp' && filters.length > 0 && filters.every(isCppTest)) return ['types'];
  return [...SECTIONS[section].needs, ...SECTIONS[section].wants];
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function test(args) {
  if (parsed(args).values.times) return showTimes();
  const stop = clock();
  const plan = chosen(args);
  const uses = new Set(['node', ...plan.flatMap(({ section, filters }) => neededBy(section, filters))]);
  const wrong = await trySetUp([...uses]);
  for (const problem of new Set(wrong.values())) console.log(`\n${problem.output}\n\n${problem.message}\n`);

  return runSections(
    plan.map(({ section, filters }) => {
      const { run, needs, lane } = SECTIONS[section];
      const problem = ['node', ...needs].map((need) => wrong.get(need)).find(Boolean);
      const why = problem?.message.split('\n')[0];
      return { name: section, lane, run: async () => (why ? { tally: broken(why), output: '' } : run(filters)) };
    }),
    stop,
  );
}
