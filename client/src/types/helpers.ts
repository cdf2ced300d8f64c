// Functions of values. They take values of JavaScript as well, so an expression can begin with one.

import { Expression } from './expression.ts';
import { listSort, type ItemOf, type ListValue } from './lists.ts';
import { invalid } from './problem.ts';
import { coerce, expressionOf, sortOf, Value, type Sort } from './value.ts';
import {
  BooleanValue,
  IntegerValue,
  NumberValue,
  OptionalValue,
  optionalSort,
  SORTS,
  sortOfAny,
  TextValue,
  type BooleanLike,
  type IntegerLike,
  type NumberLike,
  type OptionalLike,
  type TextLike,
} from './values.ts';

/** The sort of what is either of these: an integer beside a number is a number, and beside nothing a value may be absent. */
function commonSort(values: readonly unknown[]): Sort {
  const sorts = values.map(sortOfAny);
  const known = sorts.filter((_, i) => values[i] !== null);
  const [first = SORTS.optional] = known;
  const numbers = known.every(({ is }) => is === 'integer' || is === 'number');
  const of = numbers && known.some(({ is }) => is === 'number') ? SORTS.number : first;
  return known.length < sorts.length && of.is !== 'optional' ? optionalSort(of) : of;
}

/** One of two values. Only the chosen one is computed. */
export function choose(condition: BooleanLike, then: IntegerLike, otherwise: IntegerLike): IntegerValue;
export function choose(condition: BooleanLike, then: NumberLike, otherwise: NumberLike): NumberValue;
export function choose(condition: BooleanLike, then: TextLike, otherwise: TextLike): TextValue;
export function choose(condition: BooleanLike, then: BooleanLike, otherwise: BooleanLike): BooleanValue;
export function choose<V extends Value>(condition: BooleanLike, then: V, otherwise: V): V;
export function choose<V extends Value>(condition: BooleanLike, then: V, otherwise: null): OptionalValue<V>;
export function choose(condition: BooleanLike, then: unknown, otherwise: unknown): Value {
  const sort = commonSort([then, otherwise]);
  return sort.wrap(Expression.of(['if'], [coerce(condition, SORTS.boolean), coerce(then, sort), coerce(otherwise, sort)]));
}

function extreme(head: 'min' | 'max', values: readonly NumberLike[]): IntegerValue | NumberValue {
  if (values.length === 0) throw invalid('the least or greatest of no values is wanted');
  const sort = commonSort(values);
  if (sort.is !== 'integer' && sort.is !== 'number') throw invalid('integers or numbers are wanted');
  const [first, ...others] = values.map((value) => coerce(value, sort));
  return sort.wrap(others.reduce((one, other) => Expression.of([head], [one, other]), first!)) as IntegerValue | NumberValue;
}

export function least(...values: IntegerLike[]): IntegerValue;
export function least(...values: NumberLike[]): NumberValue;
export function least(...values: (IntegerLike | NumberLike)[]): IntegerValue | NumberValue {
  return extreme('min', values as NumberLike[]);
}

export function greatest(...values: IntegerLike[]): IntegerValue;
export function greatest(...values: NumberLike[]): NumberValue;
export function greatest(...values: (IntegerLike | NumberLike)[]): IntegerValue | NumberValue {
  return extreme('max', values as NumberLike[]);
}

/** `base` to the power of `exponent`. */
export function power(base: NumberLike, exponent: NumberLike): NumberValue {
  return new NumberValue(Expression.of(['power'], [coerce(base, SORTS.number), coerce(exponent, SORTS.number)]));
}

/** One text of several. Integers are written in decimal. */
export function concat(...parts: (TextLike | IntegerLike)[]): TextValue {
  if (parts.length === 0) return new TextValue(Expression.literal(''));
  const [first, ...others] = parts.map((part) =>
    coerce(part, part instanceof IntegerValue || isInteger(part) ? SORTS.integer : SORTS.text),
  );
  const joined = others.reduce((one, other) => Expression.of(['concat'], [one, other]), first!);
  // A text also if it is one integer alone.
  const isText = parts.length > 1 || sortOfAny(parts[0]).is === 'text';
  return new TextValue(isText ? joined : Expression.of(['concat'], [joined, Expression.literal('')]));
}

const isInteger = (part: unknown): boolean => typeof part === 'number' || typeof part === 'bigint';

/** A list of symbolic values. Where a list is wanted, one of JavaScript is enough. */
export function listOf<V extends Value>(...items: readonly [V, ...V[]]): ListValue<V> {
  const [first] = items;
  if (!(first instanceof Value)) throw invalid('a list of symbolic values is wanted');
  const of = sortOf(first) as Sort<V>;
  return listSort(of).wrap(
    Expression.of(
      ['list'],
      items.map((each) => coerce(each, of)),
    ),
  );
}

/** The item of a list at an index, from 0; nothing if there is none. */
export const item = <V extends Value>(list: ListValue<V>, index: IntegerLike): ItemOf<V> => list.item(index);

/** How many items a list has, or bytes of UTF-8 a text. */
export const length = (of: ListValue<Value> | TextValue): IntegerValue => of.length();

/** Whether there is nothing. */
export function isAbsent(value: OptionalLike | OptionalValue<Value>): BooleanValue {
  const expression = value instanceof Value ? expressionOf(value) : coerce(value, SORTS.optional);
  return new BooleanValue(Expression.of(['absent'], [expression]));
}
