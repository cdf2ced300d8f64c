// A second chance for tests that wait for processes, streams and browsers: thousands of tests share the processors, and now and then
// one of them is not served in time. The files that failed run once more, alone. What passes then is named in the section's line and
// its first output is printed. These fail at once:
//   - files with random seeds, whose failures are findings;
//   - more than FILES_MAX files;
//   - a runner that crashed, hung or left no report.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { inProject } from '../paths.js';

export const FILES_MAX = 3;

const DRAWS = /freshSeed|CLARET_SEEDS|Math\.random|randomInt|randomBytes/;
const drawsSeeds = (file) => DRAWS.test(readFileSync(file, 'utf8'));

/**
 * @typedef {import('./sections.js').Outcome & {files: string[]}} Run `files`: paths of the test files with failures
 * @param {Run} first
 * @param {(files: string[]) => Promise<Run>} again
 * @returns {Promise<import('./sections.js').Outcome>}
 */
export async function withSecondChance(first, again) {
  const { tally, output } = first;
  const files = first.files.map((file) => resolve(inProject(), file));
  const fair = tally.failed > 0 && tally.why === undefined && files.length > 0 && files.length <= FILES_MAX;
  if (!fair || files.some(drawsSeeds)) return first;
  const second = await again(files);
  if (second.tally.failed > 0) return { tally, output: `${output}\n\nOnce more, alone:\n\n${second.output}` };
  const names = files.map((file) => relative(inProject(), file)).join(', ');
  return {
    tally: {
      passed: tally.passed + tally.failed,
      failed: 0,
      skipped: tally.skipped,
      why: `passed at the second try: ${names}`,
      retried: true,
    },
    output,
  };
}
