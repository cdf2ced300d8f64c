// Arguments of operations, converted from the words of a command line, or from JSON, to the values that the client takes. A word that
// does not fit is a usage problem that names the argument and its type.

import { expectedResult } from '../src/values/expected-result.ts';
import type { Kind } from '../src/values/values.ts';
import type { OperationDescription, ParameterDescription } from './type-description.ts';
import { findOperation, findType } from './catalogue.ts';
import { usageProblem } from './problem.ts';
import { splitWords } from './words.ts';

/** An operation on a record, checked and ready to be sent. */
export interface Call {
  operation: OperationDescription;
  key: string;
  args: unknown[];
  /** the result that it has to have; missing: any */
  expected?: unknown;
}

/** The names of kinds in help and errors. */
const KINDS: Record<string, string> = {
  text: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  scalar: 'text, number, true or false',
  optional: 'text, number, true, false or null',
  texts: 'one or more texts',
  scalars: 'one or more values',
  entries: 'field=value, one or more',
};

export const kindWords = (kind: string): string => KINDS[kind] ?? kind;

/** The number of arguments that cannot be left out: optional ones at the end can. */
const leastOf = (parameters: readonly ParameterDescription[]): number => parameters.findLastIndex(({ kind }) => kind !== 'optional') + 1;

/** The parameter as a usage line shows it: `MEMBER`, `FIELDS...`, `[AFTER]`. */
export function parameterWord(parameters: readonly ParameterDescription[], at: number): string {
  const { name, kind } = parameters[at]!;
  if (kind === 'entries') return 'FIELD=VALUE...';
  if (kind === 'texts' || kind === 'scalars') return `${name.toUpperCase()}...`;
  return at >= leastOf(parameters) ? `[${name.toUpperCase()}]` : name.toUpperCase();
}

/** `Set.members KEY LIMIT [AFTER]` */
export function usageOf({ name, parameters }: OperationDescription): string {
  return [name, 'KEY', ...parameters.map((_, at) => parameterWord(parameters, at))].join(' ');
}

function misfit(operation: OperationDescription, parameter: ParameterDescription, value: string): Error {
  return usageProblem(
    `${operation.name}: the argument ${parameter.name} is ${article(kindWords(parameter.kind))}, and ${value} is not.`,
    `Usage: claret ${usageOf(operation)}`,
  );
}

const article = (words: string): string =>
  /^(?:one|true|field)/.test(words) || words.includes(',') ? words : `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;

const INTEGER = /^[+-]?\d{1,40}$/;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number if it is exact, else a bigint. */
function integerOf(text: string): number | bigint {
  const integer = BigInt(text.replace(/^\+/, ''));
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}

/** `5` and `-1.5` are numbers, `true` and `false` booleans. Anything in "…", and any other word, is a text. */
function scalarOf(text: string): unknown {
  if (INTEGER.test(text)) return integerOf(text);
  if (NUMBER.test(text)) return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^".*"$/s.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

function valueOf(operation: OperationDescription, parameter: ParameterDescription, text: string): unknown {
  switch (parameter.kind) {
    case 'integer':
      if (!INTEGER.test(text)) throw misfit(operation, parameter, `'${text}'`);
      return integerOf(text);
    case 'number':
      if (!NUMBER.test(text)) throw misfit(operation, parameter, `'${text}'`);
      return Number(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw misfit(operation, parameter, `'${text}'`);
      return text === 'true';
    case 'optional':
      return text === 'null' ? null : scalarOf(text);
    case 'scalar':
      return scalarOf(text);
    default:
      return text;
  }
}

// Object.fromEntries defines own properties, so that `__proto__` is a field like any other.
function entriesOf(operation: OperationDescription, parameter: ParameterDescription, words: readonly string[]): Record<string, unknown> {
  const pairs = words.map((word): [string, unknown] => {
    const equals = word.indexOf('=');
    if (equals < 0) throw misfit(operation, parameter, `'${word}'`);
    return [word.slice(0, equals), scalarOf(word.slice(equals + 1))];
  });
  return Object.fromEntries(pairs);
}

function wrongCount(operation: OperationDescription, problem: string): Error {
  return usageProblem(`${operation.name}: ${problem}`, `Usage: claret ${usageOf(operation)}`);
}

/** Reads the words of a key and its arguments. Throws a usage problem. */
export function callFromWords(operation: OperationDescription, words: readonly string[]): Call {
  const [key, ...rest] = words;
  if (key === undefined) throw wrongCount(operation, 'the key of the record is missing.');
  const args: unknown[] = [];
  for (const [at, parameter] of operation.parameters.entries()) {
    const word = rest[0];
    if (word === undefined) {
      if (at < leastOf(operation.parameters))
        throw wrongCount(operation, `the argument ${parameter.name} (${kindWords(parameter.kind)}) is missing.`);
      args.push(null);
    } else if (parameter.kind === 'texts') {
      args.push(rest.splice(0));
    } else if (parameter.kind === 'scalars') {
      args.push(rest.splice(0).map(scalarOf));
    } else if (parameter.kind === 'entries') {
      args.push(entriesOf(operation, parameter, rest.splice(0)));
    } else {
      args.push(valueOf(operation, parameter, rest.shift()!));
    }
  }
  if (rest.length > 0) {
    const count = operation.parameters.length;
    throw wrongCount(operation, `'${rest[0]}' is one argument too many; behind the key it takes ${count === 0 ? 'none' : count}.`);
  }
  return { operation, key, args };
}

/** Finds an operation by its name with its type. Throws a usage problem. */
export type FindOperation = (name: string) => OperationDescription;

/** Reads a line such as `Set.add tags x`. Throws a usage problem. */
export function callFromLine(line: string, find: FindOperation = findOperation): Call {
  const [name, ...words] = splitWords(line);
  if (name === undefined) throw usageProblem('An operation is missing: `Set.add tags x`, say.');
  return callFromWords(find(name), words);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Says first what is wrong with the type. */
function findNamed(name: string): OperationDescription {
  const dot = name.indexOf('.');
  return findOperation(`${findType(name.slice(0, dot)).name}${name.slice(dot)}`);
}

const MEMBERS = ['key', 'type', 'operation', 'arguments', 'expect'];

/** Reads an operation in the form of REST: {key, type, operation, arguments, expect}. Throws a usage problem. */
export function callFromJson(value: unknown, where: string, find: FindOperation = findNamed): Call {
  if (!isObject(value)) throw usageProblem(`${where} must be an object {"key", "type", "operation", "arguments"}.`);
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    throw usageProblem(`${where} has a member ${unknown} that does not belong there.`, `Its members are ${MEMBERS.join(', ')}.`);
  const { key, type, operation: name, arguments: args = [], expect } = value;
  for (const [member, text] of Object.entries({ key, type, operation: name })) {
    if (typeof text !== 'string') throw usageProblem(`${where}: the member ${member} must be a text.`);
  }
  if (!Array.isArray(args)) throw usageProblem(`${where}: the member arguments must be a list.`);
  const operation = find(`${type as string}.${name as string}`);
  const { parameters } = operation;
  if (args.length < leastOf(parameters) || args.length > parameters.length) {
    throw wrongCount(operation, `${where} gives it ${args.length} arguments; behind the key it takes ${parameters.length}.`);
  }
  const call = { operation, key: key as string, args: parameters.map((parameter, at) => fromJson(operation, parameter, args[at] ?? null)) };
  if (expect === undefined) return call;
  const expected = expectedResult(operation.result as Kind, expect, 'json');
  if (expected !== undefined) return { ...call, expected };
  const why = operation.result === 'void' ? 'has no result' : `has a result of the kind ${operation.result}`;
  throw usageProblem(`${where}: ${operation.name} ${why}, so this cannot be expected.`);
}

function fromJson(operation: OperationDescription, parameter: ParameterDescription, value: unknown): unknown {
  const fits = {
    text: typeof value === 'string',
    integer: Number.isSafeInteger(value) || (typeof value === 'string' && INTEGER.test(value)),
    number: typeof value === 'number',
    boolean: typeof value === 'boolean',
    scalar: ['string', 'number', 'boolean'].includes(typeof value),
    optional: value === null || ['string', 'number', 'boolean'].includes(typeof value),
    texts: Array.isArray(value) && value.every((each) => typeof each === 'string'),
    scalars: Array.isArray(value) && value.every((each) => ['string', 'number', 'boolean'].includes(typeof each)),
    entries: isObject(value),
  }[parameter.kind];
  if (fits === false) throw misfit(operation, parameter, JSON.stringify(value));
  return parameter.kind === 'integer' && typeof value === 'string' ? integerOf(value) : value;
}
