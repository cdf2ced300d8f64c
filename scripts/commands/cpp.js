// The C++ tests: GoogleTest's programs, each in shares that run side by side. A filter is a part of names (`Gate`), or several of which any may
// match (`Registry|Join`), or a file of tests (`server-core/src/gate/gate_test.cc`), which has a program of its own.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../run/process.js';
import { buildFolder, buildNative } from '../setup/native.js';
import { fromGoogleTest } from './reports.js';
import { judge, sum } from './tally.js';

/** `ends`: what the last line of the output must be @type {{name: string, shares: number, args?: string[], ends?: string}[]} */
const PROGRAMS = [
  { name: 'laws', shares: 4 },
  { name: 'core_test', shares: 8 },
  { name: 'adt_test', shares: 2 },
  // The type of docs/adding-a-data-type.md, of which each pair is to be tried.
  { name: 'walkthrough_laws', shares: 1, args: ['--type=MaxRegister'], ends: 'pairs: 3/3' },
];

/** Lines of the output that say nothing of a failure. */
const QUIET = /^(?:\[ +OK +\]|\[-{10}\]|Note: Google Test filter|Running main\(\))/;

/** The lines of tests that did not pass, as far as they are known. @param {string} output */
function withoutSuccesses(output) {
  const kept = [];
  for (const line of output.split('\n')) {
    if (line.startsWith('[       OK ]')) kept.splice(kept.findLastIndex((each) => each.startsWith('[ RUN      ]')));
    else if (!QUIET.test(line)) kept.push(line);
  }
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const FILE = /(?:^|\/)server-core\/src\/([a-z]+)\/([a-z0-9_]+_test)\.cc$/;

/** @param {string} filter @returns {boolean} it is a file of C++ tests */
export const isCppTest = (filter) => FILE.test(filter);

/** The program of one file of tests (server-core/CMakeLists.txt). @param {string} file */
const programOf = (file) => file.replace(FILE, '$1_$2').split('/').at(-1);

/** @typedef {{name: string, args: string[], ends?: string, share: number, shares: number}} Run of a program, or of a share of it */

/** @param {string[]} filters @returns {Promise<Run[]>} */
async function runsOf(filters) {
  const files = filters.filter(isCppTest).map(programOf);
  if (files.length > 0) await buildNative('C++ core: single tests', files);
  const alone = files.map((name) => ({ name: `single/${name}`, args: [], share: 0, shares: 1 }));
  const names = filters.filter((filter) => !isCppTest(filter)).flatMap((filter) => filter.split('|'));
  if (names.length === 0 && filters.length > 0) return alone;
  const only = names.length === 0 ? [] : [`--gtest_filter=${names.map((name) => `*${name}*`).join(':')}`];
  const shared = PROGRAMS.flatMap(({ name, shares, args = [], ends }) =>
    Array.from({ length: shares }, (_, share) => ({
      name,
      args: [...args, ...only],
      ends: names.length === 0 ? ends : undefined,
      share,
      shares,
    })),
  );
  return [...alone, ...shared];
}

/** @typedef {import('./sections.js').Outcome} Outcome */

/** A share may have none of the tests that were asked for. */
const judgeShare = (tally, ended) =>
  tally !== null && tally.passed + tally.failed + tally.skipped === 0 && ended.code === 0 ? tally : judge(tally, ended);

/** @param {string} folder @param {Run} run @returns {Promise<Outcome>} */
async function runShare(folder, { name, args, ends, share, shares }, { timeoutMs, gently }) {
  const reports = mkdtempSync(join(tmpdir(), 'claret-report-'));
  try {
    const report = join(reports, 'report.json');
    const env = shares === 1 ? {} : { GTEST_TOTAL_SHARDS: String(shares), GTEST_SHARD_INDEX: String(share) };
    const ended = await runTool(join(folder, name), [`--gtest_output=json:${report}`, ...args], { env, timeoutMs, gently });
    const read = existsSync(report) ? fromGoogleTest(JSON.parse(readFileSync(report, 'utf8'))) : null;
    const lastLine = ended.output.trimEnd().split('\n').at(-1);
    const code = ended.code === 0 && ends !== undefined && lastLine !== ends ? 1 : ended.code;
    const tally = judgeShare(read?.tally ?? null, { ...ended, code });
    return { tally, parts: read?.parts ?? [], output: tally.failed > 0 ? `${name}:\n${withoutSuccesses(ended.output)}` : '' };
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} filters
 * @param {{preset?: string, timeoutMs?: number, gently?: boolean}} [options]
 * @returns {Promise<Outcome>}
 */
export async function cpp(filters, options = {}) {
  const folder = buildFolder(options.preset);
  const waiting = await runsOf(filters);
  const outcomes = [];
  const worker = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) outcomes.push(await runShare(folder, run, options));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const total = sum(outcomes.map(({ tally }) => tally));
  const why = [...new Set(outcomes.map(({ tally }) => tally.why).filter(Boolean))].join('; ');
  return {
    tally: judge({ ...total, ...(why && { why }) }, { code: 0, timedOut: false }),
    parts: outcomes.flatMap(({ parts }) => parts ?? []),
    output: outcomes
      .map(({ output }) => output)
      .filter(Boolean)
      .join('\n\n'),
  };
}
