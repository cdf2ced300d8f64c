// Counts tests. A runner that fails without naming a failure, writes no report or runs no test counts as one failure, so that a
// broken runner never looks like success.

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
