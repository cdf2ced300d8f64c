// npm run test:sanitize: the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer.
import { setUp } from '../setup/setup.js';
import { cpp } from './sections.js';
import { runSections } from './test.js';
import { clock } from './times.js';

/** Everything is several times slower under the sanitizers. */
const TIMEOUT_MS = 20 * 60_000;

/** @param {string[]} filters regular expressions on test names @returns {Promise<number>} exit code */
export async function sanitize(filters) {
  process.env.ASAN_OPTIONS ??= 'detect_leaks=1:strict_string_checks=1:check_initialization_order=1';
  process.env.UBSAN_OPTIONS ??= 'print_stacktrace=1';
  // The laws run in full without sanitizers; here a share of their cases suffices to check for memory errors.
  process.env.RC_PARAMS ??= 'max_success=30';
  const stop = clock();
  await setUp('sanitized');
  return runSections([{ name: 'cpp (sanitized)', run: () => cpp(filters, { preset: 'sanitize', timeoutMs: TIMEOUT_MS }) }], stop);
}
