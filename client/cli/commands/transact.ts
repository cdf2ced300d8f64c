// `claret transact`: runs any operations as one transaction, from arguments, a file or standard input.

import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { callFromJson, callFromLine } from '../arguments.ts';
import type { Call, FindOperation } from '../arguments.ts';
import { findOperation } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { counted, duration, result, shown, toJson } from '../format.ts';
import { ownOperation } from '../installed.ts';
import { isOwnOperation, reachableTypes } from './own-operation.ts';
import { EXIT, Problem, usageProblem } from '../problem.ts';
import type { Run } from '../run.ts';
import { checkId, checkLabel, send } from '../send.ts';
import type { Sent } from '../send.ts';
import { table } from '../table.ts';

const LABEL = 'claret transact';

interface Options {
  label?: string;
  id?: string;
  file?: string;
}

interface Asked {
  /** the label in a JSON document, if there is one */
  label?: string;
  calls: Call[];
}

export function addTransact(program: Command, run: Run): void {
  program
    .command('transact')
    .description('Run operations as one transaction: all of them happen, or none')
    .argument('[operations...]', "each in one argument: 'Counter.add visits 1'; without any, they are read from standard input")
    .option('--label <label>', `name of the transaction, for statistics (default: "${LABEL}")`)
    .option('--id <id>', 'a text of your own: sent again with it within ten minutes, the transaction happens once')
    .option('-f, --file <file>', 'read the operations from a file; - for standard input')
    .addHelpText(
      'after',
      `
A file holds one operation on each line, as on the command line. Empty lines and
lines that begin with # are skipped. Or it holds JSON, as REST takes it:
  {"label": "Visit", "operations": [
    {"key": "visits", "type": "counter", "operation": "add", "arguments": [1]}]}
or the list of operations alone. With "expect", an operation has to have that
result, as it was read before; where it has another one, nothing happens:
  {"key": "price", "type": "register", "operation": "get", "expect": 4}

Examples:
  claret transact 'Counter.add visits 1' 'Set.add visitors ann'
  claret transact --label Transfer \\
    'BoundedCounter.decrement account:ann 5' 'BoundedCounter.increment account:bob 5'
  claret transact --id order-17 --file order.txt
  echo 'Counter.add visits 1' | claret transact`,
    )
    .action(run((context, operations: string[], options: Options) => transact(context, operations, options)));
}

async function transact(context: Context, operations: readonly string[], options: Options): Promise<void> {
  const asked = await withOwnTypes(context, await readAsked(context, operations, options));
  if (asked.calls.length === 0)
    throw usageProblem('There is no operation to run.', "Give one in an argument: claret transact 'Counter.add visits 1'");
  const label = checkLabel(options.label ?? asked.label ?? LABEL);
  const sent = await send(context, asked.calls, { label, id: checkId(options.id) }).catch((error: unknown) => {
    throw withNothingDone(error, asked.calls.length);
  });
  if (context.isJson) context.printJson(asJson(label, sent));
  else context.print(asText(context, label, asked.calls, sent));
}

/** One refused operation aborts the whole transaction, so the message says that nothing was done. */
function withNothingDone(error: unknown, operations: number): unknown {
  if (!(error instanceof Problem) || error.exit !== EXIT.failed || error.hint !== undefined || operations === 1) return error;
  return new Problem(error.exit, error.code, error.message, { ...error.detail, hint: 'No operation of the transaction has taken effect.' });
}

/** Reads what is asked for, given how operations are found. */
type Reading = (find?: FindOperation) => Asked;

/** Only where there are operations of types that are not built in, the gateway is asked for those that are installed. */
async function withOwnTypes(context: Context, reading: Reading): Promise<Asked> {
  let hasOwn = false;
  try {
    return reading((name) => {
      hasOwn ||= isOwnOperation(name);
      return findOperation(name);
    });
  } catch (error) {
    if (!hasOwn) throw error;
    const own = await reachableTypes(context);
    const isEmpty = own.types.length === 0 && own.retired.length === 0;
    return reading(isEmpty ? undefined : (name) => ownOperation(own, name) ?? findOperation(name));
  }
}

async function readAsked({ terminal }: Context, operations: readonly string[], { file }: Options): Promise<Reading> {
  if (operations.length > 0) {
    if (file !== undefined) throw usageProblem('Operations are given in arguments and in a file: choose one.');
    return (find) => ({ calls: operations.map((line) => callFromLine(line, find)) });
  }
  if (file !== undefined && file !== '-') return readingOf(readFile(file));
  if (file === undefined && !terminal.hasInput) {
    throw usageProblem('There is no operation to run.', "Give one in an argument: claret transact 'Counter.add visits 1'");
  }
  return readingOf(await terminal.readInput());
}

const readingOf =
  (text: string): Reading =>
  (find) =>
    readText(text, find);

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageProblem(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function readText(text: string, find?: FindOperation): Asked {
  if (/^\s*[[{]/.test(text)) return readJson(text, find);
  const lines = text.split(/\r?\n/).map((line, at) => ({ line, number: at + 1 }));
  return { calls: lines.filter(({ line }) => !/^\s*(?:#|$)/.test(line)).map(({ line, number }) => inLine(line, number, find)) };
}

function inLine(line: string, number: number, find?: FindOperation): Call {
  try {
    return callFromLine(line, find);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { exit, code, message, hint, detail } = error;
    throw new Problem(exit, code, `Line ${number}: ${message}`, { ...detail, hint });
  }
}

function readJson(text: string, find?: FindOperation): Asked {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw usageProblem(`The operations are not JSON: ${(error as Error).message}.`);
  }
  const { label, operations = undefined } = Array.isArray(document) ? { operations: document } : (document as Record<string, unknown>);
  if (!Array.isArray(operations)) throw usageProblem('The JSON document has no list "operations".');
  if (label !== undefined && typeof label !== 'string') throw usageProblem('The label of the JSON document must be a text.');
  return { ...(label === undefined ? {} : { label }), calls: operations.map((each, at) => callFromJson(each, `operations[${at}]`, find)) };
}

function asJson(label: string, { results, report, receipt }: Sent): Record<string, unknown> {
  const { committedAt, retries, replayed } = report;
  const { shards, duration_ms, waited_us, locks_waited, blocked } = receipt;
  return {
    label,
    results: results.map(toJson),
    committed_at: committedAt.toString(),
    retries,
    replayed,
    shards,
    duration_ms: round(duration_ms),
    locks_waited,
    waited_ms: round(waited_us / 1_000),
    blocked,
  };
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

function asText({ screen }: Context, label: string, calls: readonly Call[], { results, report, receipt }: Sent): string {
  const { bold, dim, green, yellow } = screen.colours;
  const { replayed, retries } = report;
  const cost = [
    counted(calls.length, 'operation'),
    ...(receipt.shards > 0 && !replayed ? [counted(receipt.shards, 'shard')] : []),
    duration(receipt.duration_ms),
  ];
  if (retries > 0) cost.push(counted(retries, 'retry', 'retries'));
  if (receipt.waited_us > 0) cost.push(`waited ${duration(receipt.waited_us / 1_000)} for ${counted(receipt.locks_waited, 'lock')}`);
  const head = `${replayed ? yellow('committed before') : green('committed')}  ${bold(shown(label))}  ${dim(cost.join(' · '))}`;
  const again = replayed ? [dim('The id was used before, for this transaction: nothing was done again. These are its results.')] : [];
  const rows = calls.map(({ operation, key }, at) => [operation.name, shown(key), result(operation, results[at], screen)]);
  if (rows.every(([, , each]) => !each!.includes('\n'))) {
    const columns = [{ header: '' }, { header: '', shrinks: true, cut: 'middle' as const }, { header: '', shrinks: true }];
    return [head, ...again, table(columns, rows, screen, 2)].join('\n');
  }
  const blocks = rows.map(([name, key, each]) =>
    each!.includes('\n') ? `  ${name}  ${key}\n${each!.replaceAll(/^/gm, '    ')}` : `  ${name}  ${key}  ${each}`,
  );
  return [head, ...again, ...blocks].join('\n');
}
