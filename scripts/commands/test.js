// npm test: every test there is. A section that fails does not keep the next from running.
//   npm test                        all
//   npm test -- client              the TypeScript tests whose path has "client" in it
//   npm test -- apps/rubis/e2e      browser tests
//   npm test -- --only cpp Gate     one section, here the C++ tests whose name matches
import { parseArgs } from 'node:util';
import { Problem } from '../run/problem.js';
import { step } from '../run/progress.js';
import { ensureK6 } from '../setup/k6.js';
import { setUpBrowser, setUpNative, setUpNode, setUpPages } from '../setup/setup.js';
import * as sections from './sections.js';
import { broken, line, sum } from './tally.js';

/** name → what it runs, without what it cannot run (Node is always there), and what it wants to be up to date */
const SECTIONS = {
  check: { run: sections.check, needs: [], wants: [] },
  cpp: { run: sections.cpp, needs: ['core'], wants: [] },
  ts: { run: sections.ts, needs: ['core'], wants: ['pages', 'k6'] },
  sim: { run: sections.sim, needs: ['core', 'mutants'], wants: [] },
  scripts: { run: sections.scripts, needs: ['core'], wants: ['pages'] },
  browser: { run: sections.browser, needs: ['core', 'pages', 'browser'], wants: ['k6'] },
};
const BUILDS = {
  core: () => setUpNative('release'),
  mutants: () => setUpNative('release', ['claret_mutants']),
  pages: setUpPages,
  browser: setUpBrowser,
  k6: ensureK6,
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

/** What went wrong, in words; '' when nothing did. */
async function attempt(build) {
  try {
    await build();
    return '';
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.log(`\n${error.output}\n\n${error.message}\n`);
    return error.message.split('\n')[0];
  }
}

const summary = (name, tally) =>
  `${tally.failed > 0 ? '✗' : '✓'} ${name}: ${line(tally)}${tally.why ? ` (${tally.why})` : ''}`;

/**
 * Runs sections and prints what they found. @param {{name: string, run: () => Promise<sections.Outcome>}[]} list
 * @returns {Promise<number>} exit code
 */
export async function runSections(list) {
  const found = [];
  for (const { name, run } of list) {
    const { tally, output } = await step(name, run, (result) => summary(name, result.tally));
    if (tally.failed > 0 && output) console.log(`\n${output}\n`);
    found.push(tally);
  }
  const total = sum(found);
  console.log(`\n${line(total)}`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function test(args) {
  const plan = chosen(args);
  const nodeMissing = await attempt(setUpNode);
  const wrong = {};
  for (const [need, build] of Object.entries(BUILDS)) {
    const isUsed = plan.some(({ section }) => [...SECTIONS[section].needs, ...SECTIONS[section].wants].includes(need));
    if (!nodeMissing && isUsed) wrong[need] = await attempt(build);
  }
  return runSections(
    plan.map(({ section, filters }) => {
      const { run, needs } = SECTIONS[section];
      const why = nodeMissing || needs.map((need) => wrong[need]).find(Boolean);
      return { name: section, run: async () => (why ? { tally: broken(why), output: '' } : run(filters)) };
    }),
  );
}
