// The runners behind `npm test`, one section each: how to call it and how to count its report.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inProject, ROOT } from '../paths.js';
import { runTool } from '../run/process.js';
import { node24 } from '../setup/node24.js';
import { checks } from './check.js';
import { cpp as runCpp } from './cpp.js';
import { fromPlaywright, fromTap, fromVitest, processorTimes } from './reports.js';
import { judge } from './tally.js';

/** For a hanging runner: a busy machine is no failure. */
const timeoutMs = () => (process.env.CLARET_LONG === '1' ? 180 : 30) * 60_000;

/** @typedef {{tally: import('./tally.js').Tally, output: string, parts?: import('./reports.js').Part[]}} Outcome */

/** Calls `run` with the path of a report file, and removes the file afterwards. */
async function withReport(name, run) {
  const folder = mkdtempSync(join(tmpdir(), 'claret-report-'));
  try {
    return await run(join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} path @param {(text: string) => import('./reports.js').Report | null} parse @returns {Outcome} */
function outcome(path, parse, ended) {
  const report = existsSync(path) ? parse(readFileSync(path, 'utf8')) : null;
  return { tally: judge(report?.tally ?? null, ended), output: ended.output, parts: report?.parts ?? [] };
}

/** @typedef {{gently?: boolean}} Options gently: only with what others leave of the processors */

/** @param {string[]} filters parts of names, or files @param {Options} [options] @returns {Promise<Outcome>} */
export const cpp = (filters, options) => runCpp(filters, { timeoutMs: timeoutMs(), ...options });

/** Files of tests of the launcher and its scripts: of `npm test`, or of `test:long`. @param {{long: boolean}} of @returns {string[]} */
export const scriptTests = ({ long }) =>
  readdirSync(inProject('scripts'), { recursive: true })
    .filter((name) => name.endsWith('.test.js') && name.endsWith('.long.test.js') === long)
    .map((name) => inProject('scripts', name));

/** @param {string[]} files @returns {Promise<Outcome>} */
const nodeTests = (files) =>
  withReport('scripts.tap', async (report) => {
    const reporters = ['tap', report, 'dot', 'stdout'];
    const args = ['--test', ...reporters.map((value, at) => `--test-reporter${at % 2 ? '-destination' : ''}=${value}`), ...files];
    const ended = await runTool(node24(), args, { cwd: inProject(), timeoutMs: timeoutMs() });
    return outcome(report, fromTap, ended);
  });

/** @returns {Promise<Outcome>} */
export const scripts = () => nodeTests(scriptTests({ long: false }));

/** @returns {Promise<Outcome>} */
export const longScripts = () => nodeTests(scriptTests({ long: true }));

/** For a run of the simulation, which has no real time of its own and the processors only while nothing else wants them. */
const PATIENT_MS = 900_000;
/** They have a section of their own. */
const HISTORIES = 'loadtest/proofs/history/';
const SIMULATION = ['loadtest/proofs/simulation/', HISTORIES];

/** @param {string[]} filters parts of paths @returns {Promise<Outcome>} */
export const ts = (filters) => vitest(filters.length > 0 ? filters : SIMULATION.flatMap((folder) => ['--exclude', `${folder}**`]));

/** @param {string[]} filters regular expressions on test names @param {Options} [options] @returns {Promise<Outcome>} */
export const sim = (filters, options) =>
  vitest([`--testTimeout=${PATIENT_MS}`, ...SIMULATION, ...(filters.length > 0 ? ['--testNamePattern', filters.join('|')] : [])], options);

/** The check of histories, on so many random ones of each kind. @param {number} seeds @returns {Promise<Outcome>} */
export const histories = (seeds) =>
  vitest([`--testTimeout=${PATIENT_MS}`, HISTORIES], { env: { CLARET_SEEDS: String(seeds), CLARET_LONG: undefined } });

/** @param {string[]} args @param {Options & {env?: NodeJS.ProcessEnv}} [options] */
const vitest = (args, options = {}) =>
  withReport('vitest.json', async (report) => {
    const program = inProject('node_modules', 'vitest', 'vitest.mjs');
    const all = [program, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args];
    const times = `${report}.times`; // written by vitest.setup.ts
    const env = { ...options.env, CLARET_PROCESSOR_TIMES: times };
    const ended = await runTool(node24(), all, { cwd: inProject(), timeoutMs: timeoutMs(), ...options, env });
    const cpu = existsSync(times) ? processorTimes(readFileSync(times, 'utf8')) : undefined;
    return outcome(report, (text) => fromVitest(JSON.parse(text), ROOT, cpu), ended);
  });

/** @param {string[]} filters parts of paths @returns {Promise<Outcome>} */
export const browser = (filters) =>
  withReport('playwright.json', async (report) => {
    const playwright = inProject('node_modules', '@playwright', 'test', 'cli.js');
    const args = [playwright, 'test', '--reporter=list,json', ...filters];
    const long = filters.some((filter) => filter.includes('.long.')) && { CLARET_LONG: '1' }; // asked for by name
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...long };
    const ended = await runTool(node24(), args, { cwd: inProject(), env, timeoutMs: timeoutMs() });
    return outcome(report, (text) => fromPlaywright(JSON.parse(text)), ended);
  });

/** Types, lint and tidiness: one test each. @param {string[]} _filters @param {Options} [options] @returns {Promise<Outcome>} */
export async function check(_filters, options) {
  const results = await checks(options);
  const failures = results.filter(({ ok }) => !ok);
  return {
    tally: { passed: results.length - failures.length, failed: failures.length, skipped: 0 },
    output: failures.map(({ name, output }) => `${name}:\n${output}`).join('\n\n'),
  };
}
