// Counts tests from the runners' machine-readable reports. A runner that fails without naming a failure, writes no report or runs
// no test counts as one failure, so that a broken runner never looks like success.

/** @typedef {{passed: number, failed: number, skipped: number, why?: string}} Tally */

/** @param {Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const key of /** @type {const} */ (['passed', 'failed', 'skipped'])) {
    total[key] = tallies.reduce((so_far, tally) => so_far + tally[key], 0);
  }
  return total;
}

/** @param {Tally} tally */
export const line = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;

/** @param {string} why @returns {Tally} */
export const broken = (why) => ({ passed: 0, failed: 1, skipped: 0, why });

/**
 * @param {Tally | null} counted null: no report
 * @param {{code: number, timedOut: boolean}} ended how the runner ended
 * @returns {Tally}
 */
export function judge(counted, { code, timedOut }) {
  const also = (why) => (counted ? { ...counted, failed: counted.failed + 1, why } : broken(why));
  if (timedOut) return also('took too long and was stopped');
  if (!counted) return broken(`left no report (exit code ${code})`);
  if (code !== 0 && counted.failed === 0) return also(`exit code ${code}, though no test failed`);
  if (code === 0 && counted.passed + counted.failed + counted.skipped === 0) return broken('ran no test');
  return counted;
}

const attribute = (text, name) => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(text)?.[1] ?? 0);

/** CTest's --output-junit. @param {string} xml @returns {Tally | null} */
export function fromCtest(xml) {
  const [head] = /<testsuite\b[^>]*>/.exec(xml) ?? [];
  if (!head) return null;
  const failed = attribute(head, 'failures');
  const skipped = attribute(head, 'skipped') + attribute(head, 'disabled');
  return { passed: attribute(head, 'tests') - failed - skipped, failed, skipped };
}

/**
 * Vitest's JSON: a file that fails to load has no tests, so the file counts as a failure. What passed only at its second try counts as passed, and
 * is named.
 *
 * @param {any} report @returns {Tally}
 */
export function fromVitest(report) {
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const counted = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  return naming(
    counted,
    tests.filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0).map(({ fullName }) => fullName),
  );
}

/** @param {Tally} counted @param {string[]} retried names of tests @returns {Tally} */
const naming = (counted, retried) =>
  retried.length === 0 ? counted : { ...counted, why: `passed at the second try: ${retried.join('; ')}` };

/** Playwright's JSON: a test that passed only at its second try counts as passed, and is named. @param {any} report @returns {Tally} */
export function fromPlaywright({ stats, suites = [], errors = [] }) {
  const counted = { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length, skipped: stats.skipped };
  return naming(counted, flakyIn(suites));
}

/** @param {any[]} suites @returns {string[]} */
const flakyIn = (suites) =>
  suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs.filter(({ tests }) => tests.some(({ status }) => status === 'flaky')).map(({ title }) => title),
    ...flakyIn(inner),
  ]);

/** The closing lines of node:test's TAP. @param {string} tap @returns {Tally | null} */
export function fromTap(tap) {
  const count = (name) => {
    const [, number] = new RegExp(`^# ${name} (\\d+)$`, 'm').exec(tap) ?? [];
    return number === undefined ? NaN : Number(number);
  };
  const failed = count('fail') + count('cancelled');
  const tally = { passed: count('pass'), failed, skipped: count('skipped') + count('todo') };
  return Number.isNaN(tally.passed + tally.failed + tally.skipped) ? null : tally;
}
