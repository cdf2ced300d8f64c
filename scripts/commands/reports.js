// Reads the runners' machine-readable reports: how many tests passed, and which parts (files or cases) took how long.

/** @typedef {import('./tally.js').Tally} Tally */
/** `cpuMs`: processor time of the part and of the processes that it started. @typedef {{name: string, ms: number, cpuMs?: number}} Part */
/** @typedef {{tally: Tally, parts: Part[]}} Report */

/** Adds up parts of one name. @param {Part[]} parts @returns {Part[]} */
function together(parts) {
  const sums = new Map();
  for (const { name, ms } of parts) sums.set(name, (sums.get(name) ?? 0) + ms);
  return [...sums].map(([name, ms]) => ({ name, ms }));
}

/** GoogleTest's JSON; the parts are cases. @param {any} report @returns {Report} */
export function fromGoogleTest({ testsuites }) {
  const cases = testsuites.flatMap(({ testsuite }) => testsuite);
  const failed = cases.filter(({ failures = [] }) => failures.length > 0).length;
  const passed = cases.filter(({ result, failures = [] }) => result === 'COMPLETED' && failures.length === 0).length;
  return {
    tally: { passed, failed, skipped: cases.length - passed - failed },
    parts: cases.map(({ classname, name, time }) => ({ name: `${classname}.${name}`, ms: Number.parseFloat(time) * 1000 })),
  };
}

/** What vitest.setup.ts has written: processor time in ms by path. @param {string} lines @returns {Map<string, number>} */
export const processorTimes = (lines) =>
  new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );

/**
 * Vitest's JSON: a file that fails to load has no tests, so the file counts as a failure. The parts are files.
 * @param {any} report @param {string} root of the project @param {Map<string, number>} cpu processor time by path @returns {Report}
 */
export function fromVitest(report, root = '', cpu = new Map()) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  return {
    tally: {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloaded.length,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    parts: report.testResults.map(({ name = '', startTime = 0, endTime = 0 }) => ({
      name: name.startsWith(`${root}/`) ? name.slice(root.length + 1) : name,
      ms: endTime - startTime,
      ...(cpu.has(name) && { cpuMs: cpu.get(name) }),
    })),
  };
}

/** Playwright's JSON; the parts are files. @param {any} report @returns {Report} */
export function fromPlaywright({ stats, suites = [], errors = [] }) {
  return {
    tally: { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped },
    parts: together(specsIn(suites)),
  };
}

/** @param {any[]} suites @returns {Part[]} */
const specsIn = (suites) =>
  suites.flatMap(({ suites: inner = [], specs = [], file = '' }) => [
    ...specs.map(({ tests = [] }) => ({
      name: file,
      ms: sumOf(tests.flatMap(({ results = [] }) => results.map(({ duration }) => duration))),
    })),
    ...specsIn(inner),
  ]);

const sumOf = (numbers) => numbers.reduce((sum, each) => sum + each, 0);

/** The closing lines of node:test's TAP; the parts are its outermost tests. @param {string} tap @returns {Report | null} */
export function fromTap(tap) {
  const closing = (name) => {
    const [, number] = new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap) ?? [];
    return number === undefined ? NaN : Number(number);
  };
  const failed = closing('fail') + closing('cancelled');
  const tally = { passed: closing('pass'), failed, skipped: closing('skipped') + closing('todo') };
  if (Number.isNaN(tally.passed + tally.failed + tally.skipped)) return null;
  const ends = [...tap.matchAll(/^(?:not )?ok \d+ - (.*)\n {2}---\n {2}duration_ms: ([\d.]+)$/gm)];
  return { tally, parts: ends.map(([, name, ms]) => ({ name, ms: Number(ms) })) };
}
