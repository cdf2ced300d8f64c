// npm test: the tests that every change must pass; test-long.js has the rest. A failed section does not prevent the next from
// running.
//   npm test                        all
//   npm test -- client              the TypeScript tests whose path contains "client"
//   npm test -- apps/rubis/e2e      browser tests
//   npm test -- --only cpp Gate     one section, here the C++ tests whose name matches
import { parseArgs } from 'node:util';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { setUpForTests } from '../setup/setup.js';
import * as sections from './sections.js';
import { broken, line, sum } from './tally.js';

/**
 * name → runner, works without which it cannot run (Node is always set up), works that should be up to date, and lane. Lanes run in
 * parallel. Sections that keep all processors busy share a lane: in parallel they would run into timeouts
 */
const SECTIONS = {
  check: { run: sections.check, needs: ['formatter'], wants: [], lane: 0 },
  cpp: { run: sections.cpp, needs: ['core'], wants: [], lane: 0 },
  ts: { run: sections.ts, needs: ['core'], wants: ['pages', 'nats'], lane: 0 },
  sim: { run: sections.sim, needs: ['core', 'mutants'], wants: [], lane: 0 },
  scripts: { run: sections.scripts, needs: ['core'], wants: ['pages', 'nats'], lane: 1 },
  browser: { run: sections.browser, needs: ['core', 'pages', 'browser'], wants: ['nats'], lane: 0 },
};

const looksLikeBrowserTest = (filter) => /\be2e\b|\.spec\.ts$/.test(filter);

function parsed(args) {
  try {
    return parseArgs({ args, options: { only: { type: 'string' } }, allowPositionals: true });
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
  const browser = positionals.filter(looksLikeBrowserTest);
  const ts = positionals.filter((filter) => !looksLikeBrowserTest(filter));
  return [
    ...(ts.length > 0 ? [{ section: /** @type {const} */ ('ts'), filters: ts }] : []),
    ...(browser.length > 0 ? [{ section: /** @type {const} */ ('browser'), filters: browser }] : []),
  ];
}

const summary = (name, tally) => `${tally.failed > 0 ? '✗' : '✓'} ${name}: ${line(tally)}${tally.why ? ` (${tally.why})` : ''}`;

/** @typedef {{name: string, run: () => Promise<sections.Outcome>}} Section */

/**
 * Runs sections and prints their results. @param {(Section & {lane?: number})[]} list
 * @returns {Promise<number>} exit code
 */
export async function runSections(list) {
  const found = [];
  const runLane = async (lane) => {
    for (const { name, run } of lane) {
      const { tally, output } = await step(name, run, (result) => summary(name, result.tally));
      if (tally.failed > 0 && output) console.log(`\n${output}\n`);
      found.push(tally);
    }
  };
  const lanes = new Set(list.map(({ lane }) => lane));
  await Promise.all([...lanes].map((each) => runLane(list.filter(({ lane }) => lane === each))));
  const total = sum(found);
  console.log(`\n${line(total)}`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function test(args) {
  const plan = chosen(args);
  const uses = new Set(['node', ...plan.flatMap(({ section }) => [...SECTIONS[section].needs, ...SECTIONS[section].wants])]);
  const wrong = await setUpForTests([...uses]);
  for (const problem of new Set(wrong.values())) console.log(`\n${problem.output}\n\n${problem.message}\n`);

  return runSections(
    plan.map(({ section, filters }) => {
      const { run, needs, lane } = SECTIONS[section];
      const problem = ['node', ...needs].map((need) => wrong.get(need)).find(Boolean);
      const why = problem?.message.split('\n')[0];
      return { name: section, lane, run: async () => (why ? { tally: broken(why), output: '' } : run(filters)) };
    }),
  );
}
