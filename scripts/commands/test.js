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
 * name → runner, works without which it cannot run (Node is always set up), works that should be up to date, and lane. Lanes run in parallel, the
 * sections of a lane in order. Those of the lane `tests` wait for processes and clocks most of the time, and the processors are theirs when they
 * want them. Those of the lane `proofs` compute: they have what is left.
 */
const SECTIONS = {
  ts: { run: sections.ts, needs: ['core'], wants: ['pages', 'nats'], lane: 'tests' },
  browser: { run: sections.browser, needs: ['core', 'pages', 'browser'], wants: ['nats'], lane: 'tests' },
  scripts: { run: sections.scripts, needs: ['core'], wants: ['pages', 'nats'], lane: 'launcher' },
  check: { run: sections.check, needs: ['formatter'], wants: [], lane: 'proofs' },
  cpp: { run: sections.cpp, needs: ['coreTests'], wants: [], lane: 'proofs' },
  sim: { run: sections.sim, needs: ['core'], wants: [], lane: 'proofs' },
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

/**
 * `ready`: settles when the section can run, with the reason why it cannot, if there is one.
 * @typedef {{name: string, run: () => Promise<sections.Outcome>, ready?: () => Promise<string | undefined>, lane?: string}} Section
 */

/**
 * Runs sections and prints their results.
 * @param {Section[]} list @param {ReturnType<typeof clock>} [stop] of the run that they end
 * @returns {Promise<number>} exit code
 */
export async function runSections(list, stop) {
  const found = [];
  const times = [];
  const runLane = async (lane) => {
    for (const { name, run, ready } of lane) {
      const why = await ready?.();
      const begin = async () => (why === undefined ? run() : { tally: broken(why), output: '' });
      const { tally, output, parts = [] } = await step(name, begin, (result) => summary(name, result.tally));
      times.push({ ...endedSteps().findLast((ended) => ended.name === name), parts });
      if (tally.failed > 0 && output) console.log(`\n${output}\n`);
      found.push(tally);
    }
  };
  const lanes = new Set(list.map(({ lane }) => lane));
  await Promise.all([...lanes].map((each) => runLane(list.filter(({ lane }) => lane === each))));
  const names = new Set(list.map(({ name }) => name));
  stop?.(
    endedSteps().filter(({ name }) => !names.has(name)),
    times,
  );
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
  const isWhole = plan.length === Object.keys(SECTIONS).length;
  void trySetUp(['node', ...plan.flatMap(({ section, filters }) => neededBy(section, filters))]).catch(() => {}); // told where it is needed
  const told = new Set();

  /** Waits for what the section needs, and tells each problem once. */
  const ready = async (section, filters) => {
    const wrong = await trySetUp(['node', ...neededBy(section, filters)]);
    for (const problem of wrong.values()) {
      if (!told.has(problem)) console.log(`\n${problem.output}\n\n${problem.message}\n`);
      told.add(problem);
    }
    const problem = ['node', ...SECTIONS[section].needs].map((need) => wrong.get(need)).find(Boolean);
    return problem?.message.split('\n')[0];
  };
  let beside = plan.filter(({ section }) => SECTIONS[section].lane !== 'proofs').length; // sections that proofs may disturb, and have yet to end
  return runSections(
    plan.map(({ section, filters }) => {
      const { run, lane } = SECTIONS[section];
      const isProof = lane === 'proofs';
      const begin = () => (isProof ? run(filters, { gently: isWhole && beside > 0 }) : run(filters).finally(() => beside--));
      return { name: section, lane, ready: () => ready(section, filters), run: begin };
    }),
    stop,
  );
}
