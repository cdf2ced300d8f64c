// `claret watch`: prints each committed value of a record on a line, until Ctrl-C.

import type { Command } from 'commander';
import type { Change, Claret, Description, Status } from '../../src/index.ts';
import { callFromWords } from '../arguments.ts';
import type { OperationDescription } from '../type-description.ts';
import { OPERATIONS, findOperation } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { clockTime, resultLine, toJson } from '../format.ts';
import { Problem, asProblem, usageProblem } from '../problem.ts';
import { findRecord, watchedOf } from '../record.ts';
import type { Run } from '../run.ts';

/** Maximum number of members or items shown of a collection. */
const SHOWN = 10;

export function addWatch(program: Command, run: Run): void {
  program
    .command('watch')
    .description('Print each committed value of a record, until Ctrl-C')
    .argument('<key>', 'the record; or an operation that reads, such as TopK.top')
    .argument('[arguments...]', 'with an operation: its record and arguments')
    .option('--count <n>', 'end after this number of values')
    .addHelpText(
      'after',
      `
A watch reports the newest value. Values that are replaced at once may be left
out.

Examples:
  claret watch visits
  claret watch TopK.top '{auction:42}:bids' 3
  claret watch Counter.value visits --count 1 --json`,
    )
    .action(
      run((context, key: string, rest: string[], options: { count?: string }) => watch(context, [key, ...rest], readCount(options.count))),
    );
}

function readCount(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw usageProblem(`--count takes an integer from 1, not '${text}'.`);
  return Number(text);
}

interface Watched {
  operation: OperationDescription;
  description: Description<unknown>;
}

async function watched(context: Context, words: readonly string[]): Promise<Watched> {
  const [first] = words;
  const named = OPERATIONS.some(({ name }) => name.toLowerCase() === first!.toLowerCase());
  if (!named && words.length > 1) findOperation(first!);
  if (named) {
    const operation = findOperation(first!);
    if (!operation.isRead) throw usageProblem(`${operation.name} changes the record: only what reads can be watched.`);
    const { key, args } = callFromWords(operation, words.slice(1));
    return { operation, description: (await context.bounded(context.claret())).describe(key, operation.name, args) };
  }
  const key = first!;
  const { type, results } = await findRecord(context, key, { limit: SHOWN, after: null }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'no_record') throw error;
    throw new Problem(error.exit, error.code, error.message, {
      hint: `To wait for it, name what is to be read: claret watch Counter.value ${key}`,
      key,
    });
  });
  if (results.length === 0) throw new Problem(1, 'no_value', `${key} is a UIdGenerator, which has no value to watch.`, { key });
  const description = watchedOf(await context.claret(), type, key, SHOWN);
  return { operation: findOperation(description.spec.name), description };
}

async function watch(context: Context, words: readonly string[], most: number): Promise<void> {
  const { operation, description } = await watched(context, words);
  const claret = await context.bounded(context.claret());
  const { terminal } = context;
  let printed = 0;
  await new Promise<void>((resolve, reject) => {
    const forget = claret.onStatus(lineTeller(context, claret, description.key));
    const end = (problem?: Problem) => {
      watching.close();
      forget();
      if (problem === undefined) resolve();
      else reject(problem);
    };
    const onChange = (change: Change) => {
      if (printed >= most) return;
      if (change.error !== undefined) return end(asProblem(change.error));
      tell(context, operation, change);
      printed += 1;
      if (printed >= most) end();
    };
    const watching = claret.watch([description], onChange);
    terminal.interrupted.addEventListener('abort', () => end(), { once: true });
    if (terminal.interrupted.aborted) end();
  });
}

function tell(context: Context, operation: OperationDescription, { key, value, timestamp }: Change): void {
  if (context.isJson) return context.printJson({ key, operation: operation.name, value: toJson(value), timestamp: timestamp.toString() });
  context.print(`${context.screen.colours.dim(clockTime(new Date(), true))}  ${resultLine(operation, value, context.screen)}`);
}

/** Reports when the connection to the record's shard is lost and when it is back. */
function lineTeller({ terminal }: Context, claret: Claret, key: string): (status: Status) => void {
  const shard = claret.topology.shardOf(key);
  let isLost = false;
  return ({ shards }) => {
    const own = shards.find((each) => each.shard === shard);
    if (own === undefined || own.state === 'connecting' || (own.state === 'live') !== isLost) return;
    isLost = !isLost;
    terminal.err(
      isLost ? `claret: The connection to shard ${shard} (${own.address}) is lost; trying again.\n` : 'claret: The connection is back.\n',
    );
  };
}
