// The runners behind `npm test`, one section each: how to call it and how to count its report.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { buildFolder } from '../setup/native.js';
import { node24 } from '../setup/node24.js';
import { checks } from './check.js';
import { fromCtest, fromPlaywright, fromTap, fromVitest, judge } from './tally.js';

/** For a hanging runner: all sections together take well below ten minutes, but a busy machine is no failure. */
const TIMEOUT_MS = 12 * 60_000;
/** For one C++ test; the laws run thousands of cases. */
const CTEST_TIMEOUT_S = 120;

/** @typedef {{tally: import('./tally.js').Tally, output: string}} Outcome */

/** Calls `run` with the path of a report file, and removes the file afterwards. */
async function withReport(name, run) {
  const folder = mkdtempSync(join(tmpdir(), 'claret-report-'));
  try {
    return await run(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readReport = (path, parse) => (existsSync(path) ? parse(readFileSync(path, 'utf8')) : null);

/** @param {string[]} filters regular expressions on test names @returns {Promise<Outcome>} */
export const cpp = (filters, preset = 'release', timeoutMs = TIMEOUT_MS) =>
  withReport('ctest.xml', async (report) => {
    const args = ['--test-dir', buildFolder(preset), '--output-junit', report, '--output-on-failure'];
    args.push('--parallel', '2', '--timeout', String(CTEST_TIMEOUT_S), '--no-tests=error');
    if (filters.length > 0) args.push('--tests-regex', filters.join('|'));
    const ended = await runTool('ctest', args, { timeoutMs });
    const output = ended.output.replace(/^(?: +Start +\d+: .*|.* Passed +[\d.]+ sec)\n/gm, '');
    return { tally: judge(readReport(report, fromCtest), ended), output };
  });

/** The tests of the launcher and its scripts. @returns {Promise<Outcome>} */
export const scripts = () =>
  withReport('scripts.tap', async (report) => {
    const files = readdirSync(inProject('scripts'), { recursive: true })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => inProject('scripts', name));
    const reporters = ['tap', report, 'dot', 'stdout'];
    const args = ['--test', ...reporters.map((value, at) => `--test-reporter${at % 2 ? '-destination' : ''}=${value}`), ...files];
    const ended = await runTool(node24(), args, { cwd: inProject(), timeoutMs: TIMEOUT_MS });
    return { tally: judge(readReport(report, fromTap), ended), output: ended.output };
  });

/** Excluded from `ts`, because they have their own section. */
/** For a run of the simulation, which has no real time of its own. */
const PATIENT_MS = 120_000;
const SIMULATION = ['loadtest/proofs/simulation/', 'loadtest/proofs/history/'];

/**
 * Real processes and clusters share two cores here, and miss a deadline now and then: a test that fails is tried once more, and named. What is
 * wrong for a seed is wrong again, since seeds are drawn when a file is loaded.
 *
 * @param {string[]} filters parts of paths @returns {Promise<Outcome>}
 */
export const ts = (filters) =>
  vitest(['--retry=1', ...(filters.length > 0 ? filters : SIMULATION.flatMap((folder) => ['--exclude', `${folder}**`]))]);

/** @param {string[]} filters regular expressions on test names @returns {Promise<Outcome>} */
export const sim = (filters) =>
  vitest([`--testTimeout=${PATIENT_MS}`, ...SIMULATION, ...(filters.length > 0 ? ['--testNamePattern', filters.join('|')] : [])]);

const vitest = (args) =>
  withReport('vitest.json', async (report) => {
    const program = inProject('node_modules', 'vitest', 'vitest.mjs');
    const all = [program, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
    const ended = await runTool(node24(), all, { cwd: inProject(), timeoutMs: TIMEOUT_MS });
    return {
      tally: judge(
        readReport(report, (text) => fromVitest(JSON.parse(text))),
        ended,
      ),
      output: ended.output,
    };
  });

/** @param {string[]} filters parts of paths @returns {Promise<Outcome>} */
export const browser = (filters) =>
  withReport('playwright.json', async (report) => {
    const playwright = inProject('node_modules', '@playwright', 'test', 'cli.js');
    const args = [playwright, 'test', '--reporter=list,json', ...filters];
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const ended = await runTool(node24(), args, { cwd: inProject(), env, timeoutMs: TIMEOUT_MS });
    return {
      tally: judge(
        readReport(report, (text) => fromPlaywright(JSON.parse(text))),
        ended,
      ),
      output: ended.output,
    };
  });

/** Types, lint and tidiness: one test each. @returns {Promise<Outcome>} */
export async function check() {
  const results = await checks();
  const failures = results.filter(({ ok }) => !ok);
  return {
    tally: { passed: results.length - failures.length, failed: failures.length, skipped: 0 },
    output: failures.map(({ name, output }) => `${name}:\n${output}`).join('\n\n'),
  };
}
