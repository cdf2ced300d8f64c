// Value: a symbolic value: an expression and its sort, which says what the expression will be in a shard.

import { isDeepStrictEqual } from 'node:util';
import { Expression } from './expression.ts';
import { onlyThese } from './names.ts';
import { invalid, within } from './problem.ts';

/** What a value is. An optional one, a list, a pair and a record say of what. */
export interface Sort<out V extends Value = Value> {
  readonly is: 'boolean' | 'integer' | 'number' | 'text' | 'scalar' | 'optional' | 'list' | 'pair' | 'record';
  readonly of: readonly Sort[];
  /** of a record's members */
  readonly names?: readonly string[];
  wrap(expression: Expression): V;
}

let expressionIn: (value: Value) => Expression;
let sortIn: (value: Value) => Sort;

export abstract class Value {
  static {
    expressionIn = (value) => value.#expression;
    sortIn = (value) => value.#sort;
  }

  readonly #expression: Expression;
  readonly #sort: Sort;

  constructor(sort: Sort, expression: Expression) {
    this.#sort = sort;
    this.#expression = expression;
  }

  /** Only a shard knows what it is: JavaScript cannot compute with it, print it or compare it. */
  [Symbol.toPrimitive](): never {
    throw invalid(`${nameOf(this.#sort)} that only a shard knows is used as one of JavaScript: use methods such as plus, is and concat`);
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

export const expressionOf = (value: Value): Expression => expressionIn(value);
export const sortOf = (value: Value): Sort => sortIn(value);

/** "an integer", "a list of texts" */
export function nameOf({ is, of, names = [] }: Sort): string {
  const [first, second] = of.map(nameOf);
  if (is === 'record') return `a record of ${names.join(', ')}`;
  if (is === 'optional') return `${first} or nothing`;
  if (is === 'list') return `a list, each item ${first}`;
  if (is === 'pair') return `a pair of ${first} and ${second}`;
  return is === 'integer' ? 'an integer' : `a ${is}`;
}

/** The expression of a symbolic value, or of one of JavaScript, as one of that sort. Throws `DefinitionError`. */
export function coerce(given: unknown, sort: Sort): Expression {
  if (!(given instanceof Value)) return literal(given, sort);
  const expression = expressionOf(given);
  const own = sortOf(given);
  expression.checkUse();
  if (fits(own, sort)) return expression;
  if (own.is === 'integer' && sort.is === 'number') return Expression.of(['+'], [expression, ZERO]);
  throw invalid(`${nameOf(sort)} is wanted, and not ${nameOf(own)}${HINTS[own.is] ?? ''}`);
}

const ZERO = Expression.literal(['number', 0]);

const HINTS: Partial<Record<Sort['is'], string>> = {
  scalar: ': asInteger, asNumber, asText and asBoolean say what it is',
  optional: ': orElse says what it is if there is nothing',
};

const SCALARS = new Set<Sort['is']>(['boolean', 'integer', 'number', 'text', 'scalar']);

/** Whether every value of the one sort is one of the other. */
function fits(own: Sort, wanted: Sort): boolean {
  if (wanted.is === 'optional') return fits(own.is === 'optional' ? own.of[0]! : own, wanted.of[0]!);
  if (wanted.is === 'scalar') return SCALARS.has(own.is);
  return own.is === wanted.is && isDeepStrictEqual(own.names, wanted.names) && own.of.every((part, i) => fits(part, wanted.of[i]!));
}

// ---- literals ----

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

function literal(given: unknown, sort: Sort): Expression {
  switch (sort.is) {
    case 'boolean':
      if (typeof given === 'boolean') return Expression.literal(given);
      break;
    case 'text':
      if (typeof given === 'string') return textLiteral(given);
      break;
    case 'integer':
      if (typeof given === 'number' || typeof given === 'bigint') return integerLiteral(given);
      break;
    case 'number':
      if (typeof given === 'number') return numberLiteral(given);
      break;
    case 'scalar':
      return scalarLiteral(given, sort);
    case 'optional':
      return given === null ? Expression.literal(null) : literal(given, sort.of[0]!);
    case 'list':
      if (Array.isArray(given)) return listLiteral(given, () => sort.of[0]!);
      break;
    case 'pair':
      if (Array.isArray(given) && given.length === 2) return listLiteral(given, (i) => sort.of[i]!);
      break;
    case 'record':
      if (typeof given === 'object' && given !== null && !Array.isArray(given)) return recordLiteral(given, sort);
  }
  throw invalid(`${nameOf(sort)} is wanted, and not ${shown(given)}`);
}

const listLiteral = (items: readonly unknown[], sortAt: (index: number) => Sort): Expression =>
  Expression.of(
    ['list'],
    items.map((item, i) => coerce(item, sortAt(i))),
  );

function recordLiteral(given: object, { names = [], of }: Sort): Expression {
  const members = onlyThese(given, 'members of the record', names);
  const parts = names.map((name, i) => within(name, () => coerce(members[name], of[i]!)));
  return Expression.of(['list'], parts);
}

function textLiteral(text: string): Expression {
  if (!text.isWellFormed()) throw invalid('a text has half of a surrogate pair');
  return Expression.literal(text);
}

function integerLiteral(given: number | bigint): Expression {
  if (typeof given === 'number' && !Number.isInteger(given)) throw invalid(`an integer is wanted, and not ${given}`);
  if (typeof given === 'number' && !Number.isSafeInteger(given))
    throw invalid(`${given} is beyond the safe integers: write it as ${given}n`);
  const integer = BigInt(given);
  if (integer < INTEGER_MIN || integer > INTEGER_MAX) throw invalid(`${given} is beyond 64 bits`);
  return Expression.literal(Number.isSafeInteger(Number(integer)) ? Number(integer) : ['integer', String(integer)]);
}

function numberLiteral(given: number): Expression {
  if (!Number.isFinite(given)) throw invalid(`${given} is not finite`);
  return Expression.literal(['number', given === 0 ? 0 : given]);
}

/** A number of JavaScript is an integer if it is a safe one, as in arguments of operations. */
function scalarLiteral(given: unknown, sort: Sort): Expression {
  if (typeof given === 'boolean') return Expression.literal(given);
  if (typeof given === 'string') return textLiteral(given);
  if (typeof given === 'bigint') return integerLiteral(given);
  if (typeof given !== 'number') throw invalid(`${nameOf(sort)} is wanted, and not ${shown(given)}`);
  return Number.isSafeInteger(given) ? integerLiteral(given) : numberLiteral(given);
}

function shown(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (given instanceof Promise) return 'a promise: functions of a type cannot wait for anything';
  if (Array.isArray(given)) return `a list of ${given.length}`;
  return typeof given === 'object' || typeof given === 'function' || typeof given === 'symbol'
    ? `a value of the kind ${typeof given}`
    : JSON.stringify(String(given));
}
