// npm run bench -- core: the micro-benchmarks of server-core/bench (Google Benchmark), each repeated, as a table and as JSON.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from '../run/problem.js';
import { runTool } from '../run/process.js';
import { step } from '../run/progress.js';
import { buildFolder } from '../setup/native.js';
import { setUp } from '../setup/setup.js';

export const MEANING = 'What operations, gates, frames, transactions and records cost in the core: nanoseconds, bytes.';

const USAGE = 'npm run bench -- core [--filter REGEX] [--repetitions N] [--json FILE] [--list]';
const SECONDS_EACH = 0.05;

/** @param {string[]} args */
function readArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        filter: { type: 'string', default: '.' },
        repetitions: { type: 'string', default: '5' },
        json: { type: 'string' },
        list: { type: 'boolean', default: false },
      },
    });
    if (!/^[1-9]\d?$/.test(values.repetitions)) throw new Error('--repetitions takes a whole number from 1 to 99.');
    return values;
  } catch (error) {
    throw new Problem(`${error.message}\n\n${USAGE}`);
  }
}

/** @typedef {{name: string, singleNs: number, medianNs: number, extra: Record<string, number>}} Row */

const KNOWN = new Set(
  'name run_name run_type family_index per_family_instance_index repetitions repetition_index threads iterations real_time cpu_time time_unit'.split(
    ' ',
  ),
);
const NS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** Rows from Google Benchmark's JSON: CPU time of the first run, and the median of all. @returns {Row[]} */
export function rowsOf({ benchmarks }) {
  /** @type {Map<string, object[]>} */
  const runs = new Map();
  for (const run of benchmarks) {
    if (run.run_type !== 'iteration' || run.error_occurred) continue;
    runs.set(run.run_name, [...(runs.get(run.run_name) ?? []), run]);
  }
  return [...runs].map(([name, repetitions]) => {
    const times = repetitions.map((run) => run.cpu_time * NS[run.time_unit]);
    const counters = Object.keys(repetitions[0]).filter((key) => !KNOWN.has(key));
    const extra = Object.fromEntries(counters.map((key) => [key, median(repetitions.map((run) => run[key]))]));
    return { name: name.replace(/\/iterations:1$/, ''), singleNs: times[0], medianNs: median(times), extra };
  });
}

/** @param {Row[]} rows @returns {string} */
export function tableOf(rows) {
  const number = (value) => value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
  const extraOf = ({ extra }) =>
    Object.entries(extra)
      .map(([key, value]) => (key === 'per_transaction' ? `${number(value * 1e9)} ns/transaction` : `${number(value)} ${key}`))
      .join(', ');
  const cells = rows.map((row) => [row.name, number(row.medianNs), number(row.singleNs), extraOf(row)]);
  const all = [['benchmark', 'median ns', 'single ns', ''], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => (i === 1 || i === 2 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @param {string[]} args @returns {Promise<number>} exit code */
export async function benchCore(args) {
  const { filter, repetitions, json, list } = readArguments(args);
  await setUp('benchmarks');
  const program = join(buildFolder(), 'core_bench');
  const folder = mkdtempSync(join(tmpdir(), 'claret-bench-'));
  try {
    const out = join(folder, 'out.json');
    const flags = [`--benchmark_filter=${filter}`, `--benchmark_repetitions=${repetitions}`, `--benchmark_min_time=${SECONDS_EACH}`];
    if (list) flags.push('--benchmark_list_tests');
    const run = () => runTool(program, [...flags, `--benchmark_out=${out}`, '--benchmark_out_format=json']);
    const { code, output } = list ? await run() : await step(`micro-benchmarks, ${repetitions} times each`, run);
    if (code !== 0) throw new Problem('The micro-benchmarks failed.', output);
    if (list) return (console.log(output.trim()), 0);
    const measured = JSON.parse(readFileSync(out, 'utf8'));
    const failed = measured.benchmarks.find((one) => one.error_occurred && !/refused/.test(one.error_message));
    if (failed) throw new Problem(`${failed.name}: ${failed.error_message}`);
    console.log(`\nCPU time of one call, median of ${repetitions} and the first of them.\n\n${tableOf(rowsOf(measured))}`);
    if (json) writeFileSync(resolve(process.env.INIT_CWD ?? '.', json), `${JSON.stringify(measured, null, 2)}\n`);
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
