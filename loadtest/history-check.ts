// npm run history -- FILE…: checks histories (docs/history.md). Several files are the parts of one history, by one clock.
// The last line is the verdict; exit code 1 unless it is `history ok`.

import { checkHistory } from './simulation/check/check.ts';
import { readHistory } from './simulation/check/file.ts';

const VIOLATIONS_SHOWN = 5;

function main(files: string[]): number {
  if (files.length === 0) {
    console.error('usage: npm run history -- FILE…');
    return 2;
  }
  const begunMs = performance.now();
  const { violations, ...figures } = checkHistory(files.flatMap(readHistory));
  for (const { rule, text } of violations.slice(0, VIOLATIONS_SHOWN)) console.log(`${rule}: ${text}\n`);
  if (violations.length > VIOLATIONS_SHOWN) console.log(`and ${violations.length - VIOLATIONS_SHOWN} more\n`);
  const undecided = figures.undecided === 0 ? '' : `, ${figures.undecided} undecided, their records left out`;
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  console.log(
    `${figures.attempts} attempts, ${figures.committed} committed, ${figures.operations} operations${undecided}; ` +
      `${seconds} s; ${figures.ok ? 'history ok' : `${violations.length} violations`}`,
  );
  return figures.ok ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
