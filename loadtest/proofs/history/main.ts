// npm run history -- [--types FILE]… FILE…: checks histories (docs/history.md). Several files are the parts of one history, by one clock.
// The last line is the verdict; exit code 1 unless it is `history ok`, 2 where a file cannot be read.

import { parseArgs } from 'node:util';
import type { HistoryAttempt } from '@claret/client';
import { checkHistory } from './check.ts';
import { ofKnownTypes, readDefinitions } from './definitions.ts';
import { readHistory } from './file.ts';
import { runCommand, WrongUse } from '../../kit/wrong-use.ts';

const VIOLATIONS_SHOWN = 5;

/** Throws WrongUse. */
function readAll(files: readonly string[], types: readonly string[]): HistoryAttempt[] {
  if (files.length === 0) throw new WrongUse('There is no file to check.');
  try {
    for (const file of types) readDefinitions(file);
    return files.flatMap((file) => readHistory(file));
  } catch (error) {
    throw new WrongUse((error as Error).message);
  }
}

function main(): number {
  const { positionals: files, values } = parseArgs({ allowPositionals: true, options: { types: { type: 'string', multiple: true } } });
  const begunMs = performance.now();
  const { attempts, unchecked } = ofKnownTypes(readAll(files, values.types ?? []));
  const { violations, ...figures } = checkHistory(attempts);
  for (const { rule, text } of violations.slice(0, VIOLATIONS_SHOWN)) console.log(`${rule}: ${text}\n`);
  if (violations.length > VIOLATIONS_SHOWN) console.log(`and ${violations.length - VIOLATIONS_SHOWN} more\n`);
  for (const { type, operations } of unchecked)
    console.log(`${type}: ${operations} operations are not checked, for want of its definition (--types)`);
  const undecided = figures.undecided === 0 ? '' : `, ${figures.undecided} undecided, their records left out`;
  const seconds = ((performance.now() - begunMs) / 1000).toFixed(1);
  console.log(
    `${figures.attempts} attempts, ${figures.committed} committed, ${figures.operations} operations${undecided}; ` +
      `${seconds} s; ${figures.ok ? 'history ok' : `${violations.length} violations`}`,
  );
  return figures.ok ? 0 : 1;
}

const USAGE = `npm run history -- FILE …    checks recorded histories (docs/history.md); several files are the parts of one
  --types FILE                   definitions of data types of your own; without one, the operations of a type are not checked

Examples:
  npm run history -- run-1.jsonl run-2.jsonl
  npm run history -- --types seat-map.json run.jsonl`;

await runCommand(USAGE, main);
