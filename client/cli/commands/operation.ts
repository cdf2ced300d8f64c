// The commands for the operations of all types, such as `claret Set.add tags x`, and `claret types`, which lists them.

import { Help, Option } from 'commander';
import type { Command } from 'commander';
import stringWidth from 'string-width';
import { callFromWords, kindWords, usageOf } from '../arguments.ts';
import { NAMED, OPERATIONS, RECORD, TYPES, findOperation, findType } from '../catalogue.ts';
import type { OperationDescription, ParameterDescription, TypeDescription } from '../type-description.ts';
import type { Context } from '../context.ts';
import { result, toJson } from '../format.ts';
import { ownType } from '../installed.ts';
import type { Run } from '../run.ts';
import { checkId, checkLabel, momentFrom, send, sendNative } from '../send.ts';
import { pad, table } from '../table.ts';
import { reachableTypes } from './own-operation.ts';
import { addOwnTypes } from './own-types.ts';

/** Not listed in the help: there are too many of them. */
const HIDDEN = { hidden: true };

export function addOperations(program: Command, run: Run): void {
  for (const operation of OPERATIONS) {
    const command = program
      .command(operation.name, HIDDEN)
      .usage(usageOf(operation).slice(operation.name.length + 1))
      .description(operation.meaning)
      .option('--label <label>', 'name of the transaction, for statistics', operation.name)
      .option('--id <id>', 'a text of your own: sent again with it, the operation happens once')
      .addOption(new Option('--native', 'execute it outside any transaction').conflicts(['label', 'id']))
      .addOption(new Option('--at <moment>', "as it was: '10s' ago, at a time or at a timestamp").conflicts(['label', 'id', 'native']))
      .argument('[key]', 'the record')
      .addHelpText('after', `\nExample:\n  claret ${exampleOf(operation)}`);
    for (const parameter of operation.parameters)
      command.argument(`[${parameter.name}]`, `${parameter.meaning} (${kindWords(parameter.kind)})`);
    command.allowExcessArguments();
    command.action(
      run((context, ...received) => perform(context, operation, (received.at(-1) as Command).args, (received.at(-1) as Command).opts())),
    );
  }
}

/** Keys that fit the types, and values that fit the kinds, for examples. */
const KEYS: Record<string, string> = {
  Register: 'greeting',
  Counter: 'visits',
  UIdGenerator: 'order:ids',
  Dict: 'user:ann',
  Set: 'tags',
  ScoredSet: 'scores',
  TopK: '{auction:1}:bids',
  SummaryBag: 'ratings',
  BoundedCounter: 'account:ann',
  HyperLogLog: 'visitors',
  List: 'jobs',
  Record: 'visits',
};
const VALUES: Record<string, string> = {
  integer: '5',
  number: '12.5',
  scalar: 'hello',
  optional: 'null',
  texts: 'name age',
  scalars: 'first second',
  entries: 'name=Ann age=42',
  boolean: 'true',
};
const BY_NAME: Record<string, string> = {
  member: 'apple',
  item: 'ann',
  field: 'age',
  text: 'ann',
  limit: '10',
  after: 'apple',
  start: '0',
  stop: '9',
  first: '0',
  last: '9',
  rank: '1',
  count: '2',
  maxlen: '100',
  at_ms: '1830000000000',
  when: 'always',
};

const exampleValue = ({ name, kind }: ParameterDescription): string => BY_NAME[name] ?? VALUES[kind] ?? name;

export const exampleOf = ({ name, parameters }: OperationDescription): string =>
  [name, KEYS[name.split('.')[0]!], ...parameters.map(exampleValue)].join(' ');

async function perform(
  context: Context,
  operation: OperationDescription,
  words: readonly string[],
  options: { label: string; id?: string; native?: boolean; at?: string },
): Promise<void> {
  const call = callFromWords(operation, words);
  if (options.native === true || options.at !== undefined) {
    const value = await sendNative(context, call, options.at === undefined ? undefined : momentFrom(options.at));
    if (context.isJson) return context.printJson({ key: call.key, operation: operation.name, result: toJson(value) });
    return context.print(result(operation, value, context.screen));
  }
  const { results, report } = await send(context, [call], { label: checkLabel(options.label), id: checkId(options.id) });
  if (!context.isJson) return context.print(result(operation, results[0], context.screen));
  const { committedAt, retries, replayed } = report;
  context.printJson({
    key: call.key,
    operation: operation.name,
    result: toJson(results[0]),
    committed_at: committedAt.toString(),
    retries,
    replayed,
  });
}

export function addTypes(program: Command, run: Run): void {
  const types = program
    .command('types')
    .description('List the data types and their operations; check, install, list and retire types of your own')
    .argument('[name]', 'a type, or an operation such as Set.add')
    .addHelpText(
      'after',
      `
Examples:
  claret types
  claret types TopK
  claret types Dict.set
  claret types check seats.ts
  claret types install seats.ts`,
    )
    .action(run((context, name: string | undefined) => showTypes(context, name)));
  addOwnTypes(types, run);
}

async function showTypes(context: Context, name: string | undefined): Promise<void> {
  const isOurs = name === undefined || NAMED.some((type) => isNamed(type, name));
  const own = isOurs ? undefined : ownType(await reachableTypes(context), name.split('.')[0]!);
  if (own !== undefined) {
    if (context.isJson) return context.printJson(own);
    context.print(`${context.screen.colours.bold(own.name)}  ${own.meaning}\n`);
    return context.print(own.operations.map((operation) => aboutOperation(operation, context)).join('\n\n'));
  }
  const chosen = name === undefined ? NAMED : [name.includes('.') ? typeOf(findOperation(name)) : findType(name)];
  if (context.isJson) return context.printJson(name === undefined ? { types: TYPES, record: RECORD } : chosen[0]);
  const { bold, cyan, dim } = context.screen.colours;
  if (name === undefined) {
    const rows = NAMED.map((type) => [cyan(type.name), type.operations.map((each) => each.name.split('.')[1]).join(' ')]);
    context.print(table([{ header: 'type' }, { header: 'operations', shrinks: true }], rows, context.screen));
    return context.print(dim('`claret types TYPE` says more of one.'));
  }
  const [type] = chosen;
  const shownOperations = name.includes('.') ? [findOperation(name)] : type!.operations;
  if (!name.includes('.')) context.print(`${bold(type!.name)}  ${type!.meaning}\n`);
  context.print(shownOperations.map((operation) => aboutOperation(operation, context)).join('\n\n'));
}

const isNamed = (type: TypeDescription, name: string): boolean => type.name.toLowerCase() === name.split('.')[0]!.toLowerCase();

const typeOf = ({ name }: OperationDescription): TypeDescription => findType(name.split('.')[0]!);

function aboutOperation(operation: OperationDescription, { screen }: Context): string {
  const { cyan, dim } = screen.colours;
  const answers = operation.result === 'void' ? '' : dim(`  → ${operation.result.replaceAll('_', ' ')}`);
  const help = Object.assign(new Help(), { helpWidth: screen.columns, minWidthToWrap: 20 });
  const nameWidth = Math.max(0, ...operation.parameters.map(({ name }) => name.length));
  const terms = operation.parameters.map(({ name, kind }) => `  ${pad(name, nameWidth)}  ${dim(kindWords(kind))}`);
  const width = Math.max(0, ...terms.map((term) => stringWidth(term)));
  const parameters = operation.parameters.map(({ meaning }, at) => help.formatItem(terms[at]!, width, meaning, help));
  const meaning = help.boxWrap(operation.meaning, screen.columns - 2).replaceAll(/^/gm, '  ');
  return [`${cyan(usageOf(operation))}${answers}`, meaning, ...parameters].join('\n');
}
