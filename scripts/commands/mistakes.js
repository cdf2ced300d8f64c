// The section `mistakes` of npm run test:long: the core's tests find every mistake that can be switched on (server-core/src/ground/mutation.h).
// Prints which test found which mistake first.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { buildFolder } from '../setup/native.js';

const TIMEOUT_MS = 10 * 60_000;
const HEADER = inProject('server-core', 'src', 'ground', 'mutation.h');

/** @param {number} number of the mistake @returns {Promise<string | null>} the test that found it, or how the program ended */
async function finderOf(number) {
  const { code, output, timedOut } = await runTool(join(buildFolder(), 'core_mistakes'), ['--gtest_fail_fast'], {
    env: { CLARET_MUTATION: String(number) },
    timeoutMs: TIMEOUT_MS,
  });
  if (code === 0 && !timedOut) return null;
  const failed = /^\[ {2}FAILED {2}\] ([^\s,]+)/m.exec(output);
  if (failed) return failed[1];
  const last = [...output.matchAll(/^\[ RUN {6}\] (\S+)/gm)].at(-1)?.[1] ?? 'the start';
  return `${last}, which ${timedOut ? 'did not end' : 'ended the program'}`;
}

/** @returns {Promise<{tally: import('./tally.js').Tally, output: string}>} */
export async function mistakes() {
  const [, ...names] = [...readFileSync(HEADER, 'utf8').matchAll(/^ {2}k(\w+),/gm)].map(([, name]) => name); // the first is "none"
  const finders = new Array(names.length);
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < names.length; at = next++) finders[at] = await finderOf(at + 1);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const missed = finders.filter((finder) => finder === null).length;
  console.log(names.map((name, at) => `${name}: ${finders[at] ?? 'NOT FOUND'}`).join('\n'));
  return { tally: { passed: names.length - missed, failed: missed, skipped: 0, why: `${missed} mistakes were not found` }, output: '' };
}
