// `claret SeatMap.left hall stalls`: an operation of an installed type. The line is rewritten to a hidden command, since the program does not know
// the type; the gateway does, and runs the operation.

import type { Command } from 'commander';
import { callFromWords } from '../arguments.ts';
import { NAMED, findOperation } from '../catalogue.ts';
import type { Context } from '../context.ts';
import { result, toJson } from '../format.ts';
import { NO_TYPES, installedTypes, ownOperation, type OwnTypes } from '../installed.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Run } from '../run.ts';
import { checkLabel } from '../send.ts';
import type { OperationDescription } from '../type-description.ts';

export const OWN_OPERATION = 'own-operation';

const typeIn = (name: string): string => name.slice(0, name.indexOf('.')).toLowerCase();

/** Whether the operation may be one of an installed type. */
export const isOwnOperation = (name: string): boolean =>
  name.includes('.') && !NAMED.some((type) => type.name.toLowerCase() === typeIn(name));

export function addOwnOperation(program: Command, run: Run): void {
  program
    .command(OWN_OPERATION, { hidden: true })
    .argument('<operation>')
    .argument('[words...]')
    .option('--label <label>', 'name of the transaction, for statistics')
    .action(run((context, name: string, words: string[], { label }: { label?: string }) => perform(context, name, words, label)));
}

async function perform(context: Context, name: string, words: readonly string[], label: string | undefined): Promise<void> {
  const operation = await findOwn(context, name);
  const { key, args } = callFromWords(operation, words);
  const [type, word] = operation.name.split('.') as [string, string];
  const body = { label: checkLabel(label ?? operation.name), operations: [{ key, type, operation: word, arguments: args.map(toJson) }] };
  const answer = await context.rest.post<{ results: [unknown]; committed_at: string; retries: number }>('/v1/transactions', body);
  const [value] = answer.results;
  if (!context.isJson) return context.print(result(operation, value, context.screen));
  context.printJson({ key, operation: operation.name, result: value, committed_at: answer.committed_at, retries: answer.retries });
}

/** The installed types; none if no gateway answers. */
export async function reachableTypes(context: Context): Promise<OwnTypes> {
  try {
    return await installedTypes(context);
  } catch (error) {
    if (error instanceof Problem && error.exit === EXIT.unreachable) return NO_TYPES;
    throw error;
  }
}

/** Throws a usage problem if no type has it, and no gateway needs to be there for that. Throws type_retired. */
async function findOwn(context: Context, name: string): Promise<OperationDescription> {
  return ownOperation(await reachableTypes(context), name) ?? findOperation(name);
}
