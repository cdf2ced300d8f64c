// npm run check: types, lint, layout, tidiness. Fast enough to run before each commit.
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { node24 } from '../setup/node24.js';
import { setUp } from '../setup/setup.js';
import { cppFormat, tsFormat } from './format.js';
import { report, tidy } from '../tidy/tidy.js';

const TIMEOUT_MS = 30 * 60_000; // for a hanging tool; beside other sections of `npm test` it has only what they leave
const inModules = (...parts) => inProject('node_modules', ...parts);

const CHECKS = {
  types: (gently) => tool(inModules('typescript', 'bin', 'tsc'), ['-p', '.', '--noEmit'], gently),
  // Stricter: published packages run on Node 20 and use imports as packages do.
  packages: (gently) => tool(inModules('typescript', 'bin', 'tsc'), ['-p', 'tsconfig.packages.json', '--noEmit'], gently),
  lint: (gently) => tool(inModules('oxlint', 'bin', 'oxlint'), ['--deny-warnings'], gently),
  'TypeScript layout': () => hinted(tsFormat('check')),
  'C++ layout': () => hinted(cppFormat('check')),
  tidy: async () => {
    const findings = tidy(inProject());
    return { ok: findings.length === 0, output: report(findings) };
  },
};

async function tool(script, args, gently) {
  const { code, output, timedOut } = await runTool(node24(), [script, ...args], { cwd: inProject(), timeoutMs: TIMEOUT_MS, gently });
  return { ok: code === 0, output: timedOut ? `${output}\ntook longer than ${TIMEOUT_MS / 1000} s` : output };
}

async function hinted(ended) {
  const { code, output } = await ended;
  return { ok: code === 0, output: `${output}\nnpm run format mends it` };
}

/** @param {{gently?: boolean}} [options] @returns {Promise<{name: string, ok: boolean, output: string}[]>} */
export async function checks({ gently = false } = {}) {
  const results = [];
  for (const [name, run] of Object.entries(CHECKS)) results.push({ name, ...(await run(gently)) });
  return results;
}

/** @returns {Promise<number>} exit code */
export async function check() {
  await setUp('node', 'formatter');
  const failures = (await step('types, lint, layout and tidy', () => checks())).filter(({ ok }) => !ok);
  for (const { name, output } of failures) console.log(`\n✗ ${name}\n${output}`);
  console.log(failures.length === 0 ? 'clean' : `\n${failures.map(({ name }) => name).join(', ')}: not clean`);
  return failures.length === 0 ? 0 : 1;
}
