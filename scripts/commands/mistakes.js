// The section `mistakes` of npm run test:long: the core's tests find every mistake about chains, slots that move, warranties, the past, snapshots
// and epochs that can be switched on (server-core/src/ground/mutation.h). Most of those about chains the simulation cannot show: a client begins
// anew before they do harm.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject } from '../paths.js';
import { runTool } from '../run/process.js';
import { buildFolder } from '../setup/native.js';

/** Each group of mistakes, by its first one, and the tests that are to find them. */
const GROUPS = [
  { first: 'kForeignOnRun', tests: '*Chain*:*Board*:*Peek*:*Member*:*Batch*:-*Storm*' },
  { first: 'kTookNotAwaited', tests: '*/Storms.*/Moves*' },
  { first: 'kChangeViolatesWarranty', tests: 'Granting*:Warrant*:Firm*:*/Storms.*/Warrant*' },
  { first: 'kPastIgnoresVotes', tests: '*Past*' },
  { first: 'kSnapshotIgnoresAge', tests: 'Snapshots*' },
  { first: 'kExpectNotCompared', tests: 'Granting*:Warrant*:Firm*:*/Storms.*/Warrant*' },
  { first: 'kEpochPassesOld', tests: 'Epoch*' },
];
const TIMEOUT_MS = 3 * 60_000;

/** @returns {Promise<{tally: import('./tally.js').Tally, output: string}>} */
export async function mistakes() {
  const header = readFileSync(inProject('server-core', 'src', 'ground', 'mutation.h'), 'utf8');
  const names = [...header.matchAll(/^ {2}(k\w+),/gm)].map(([, name]) => name);
  const lines = [];
  let missed = 0;
  let tests = '';
  for (let number = names.indexOf(GROUPS[0].first); number < names.length; number++) {
    tests = GROUPS.find(({ first }) => first === names[number])?.tests ?? tests;
    const { code, timedOut } = await runTool(join(buildFolder(), 'core_test'), ['--gtest_brief=1', `--gtest_filter=${tests}`], {
      env: { CLARET_MUTATION: String(number) },
      timeoutMs: TIMEOUT_MS,
    });
    const found = code !== 0 || timedOut;
    if (!found) missed++;
    lines.push(`${names[number]}: ${found ? 'found' : 'NOT FOUND'}`);
  }
  return {
    tally: { passed: lines.length - missed, failed: missed, skipped: 0, why: `${missed} mistakes were not found` },
    output: lines.join('\n'),
  };
}
