// Expressions of definitions of data types (docs/types-of-your-own.md), evaluated once more and independently of the core.
//
// In a history a whole number may be an integer or a number. Here an integer is a bigint: a number is known by the kind of the operation that has it.

import type { HistoryValue, Kind } from '@claret/client';
import { compareTexts, isInteger, integerOf, Refusal, valueOf } from '../model.ts';
import type { Inner, Json, Known } from './inner.ts';
import { BINDING, binding, OF_LISTS, ofLists } from './lists.ts';

const NUMBERS: ReadonlySet<Kind> = new Set(['number', 'ranked', 'ranked_item']);

/** `kind`: of the parameter or result. */
export function innerOf(value: HistoryValue | undefined, kind: Kind): Inner {
  if (Array.isArray(value)) return value.map((one) => innerOf(one, kind));
  if (isInteger(value)) return NUMBERS.has(kind) ? Number(integerOf(value)) : integerOf(value);
  return (value as null | boolean | number | string | undefined) ?? null;
}

export function outerOf(value: Inner): HistoryValue {
  if (typeof value === 'bigint') return valueOf(value);
  if (Object.is(value, -0)) return 0;
  return typeof value === 'object' && value !== null ? value.map(outerOf) : (value as HistoryValue);
}

/** Throws Refusal. */
export function evaluate(expression: Json, known: Known): Inner {
  known.meter?.count();
  if (typeof expression === 'number') return BigInt(expression);
  if (!Array.isArray(expression)) return expression as null | boolean | string;
  const [head, ...rest] = expression as [string, ...Json[]];
  const at = (i: number) => evaluate(rest[i]!, known);
  switch (head) {
    case 'integer':
      return BigInt(rest[0] as string);
    case 'number':
      return rest[0] as number;
    case 'argument':
      return known.args[rest[0] as number]!;
    case 'answer':
      return known.answer!;
    case 'old':
      return known.old!;
    case 'local':
      return known.locals!.get(rest[0] as number)!;
    case 'read': {
      const key = rest[1] === null ? '' : text(at(1));
      return known.read!(
        rest[0] as number,
        key,
        rest[2] as string,
        rest.slice(3).map((argument) => evaluate(argument, known)),
      );
    }
    case 'and':
      return condition(at(0)) && condition(at(1));
    case 'or':
      return condition(at(0)) || condition(at(1));
    case 'if':
      return condition(at(0)) ? at(1) : at(2);
    case 'or_else':
      return at(0) ?? at(1);
  }
  if (BINDING.has(head)) return binding(head, rest, known, evaluate);
  const operands = rest.map((operand) => evaluate(operand, known));
  return OF_LISTS.has(head) ? ofLists(head, operands, known) : apply(head, operands);
}

/** Throws Refusal. */
export function condition(value: Inner): boolean {
  if (typeof value !== 'boolean') throw new Refusal('no condition');
  return value;
}

/** Throws Refusal. */
export function text(value: Inner | undefined): string {
  if (typeof value !== 'string') throw new Refusal('no text');
  return value;
}

function apply(head: string, operands: readonly Inner[]): Inner {
  const [a = null, b = null] = operands;
  switch (head) {
    case 'not':
      return !condition(a);
    case 'absent':
      return a === null;
    case 'list':
      return operands;
    case '=':
      return isEqual(a, b);
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case 'item':
      return item(a, b);
    case 'length':
      return length(a);
    case 'concat':
      return operands.map((part) => (typeof part === 'bigint' ? String(part) : text(part))).join('');
    case 'floor':
      return typeof a === 'bigint' ? a : inRange(BigInt(Math.floor(number(a))));
    case 'power':
      return power(number(a), number(b));
    default:
      return typeof a === 'bigint' && typeof b === 'bigint' ? ofIntegers(head, a, b) : ofNumbers(head, number(a), number(b));
  }
}

function ofIntegers(head: string, a: bigint, b: bigint): bigint {
  if ((head === '/' || head === '%') && b === 0n) throw new Refusal('division by 0');
  switch (head) {
    case '+':
      return inRange(a + b);
    case '-':
      return inRange(a - b);
    case '*':
      return inRange(a * b);
    case '/':
      return inRange(a / b);
    case '%':
      return a % b;
    case 'min':
      return a < b ? a : b;
    case 'max':
      return a > b ? a : b;
  }
  throw new Error(`there is no operator ${head}`);
}

function ofNumbers(head: string, a: number, b: number): number {
  switch (head) {
    case '+':
      return finite(a + b);
    case '-':
      return finite(a - b);
    case '*':
      return finite(a * b);
    case '/':
      return finite(a / b);
    case '%':
      return finite(a % b);
    case 'min':
      return finite(Math.min(a, b));
    case 'max':
      return finite(Math.max(a, b));
  }
  throw new Error(`there is no operator ${head}`);
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Refusal('out of range');
  return value;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new Refusal('not finite');
  return value === 0 ? 0 : value;
}

function number(value: Inner): number {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'number') throw new Refusal('no number');
  return value;
}

/** Of products and square roots alone, as the core has it: these are the same everywhere, to the last bit. */
function power(base: number, exponent: number): number {
  if (base <= 0 || Math.abs(exponent) > 1e6) throw new Refusal('a power of that');
  const whole = Math.floor(exponent);
  let result = 1;
  let factor = whole < 0 ? 1 / base : base;
  for (let left = Math.abs(whole); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= factor;
    factor *= factor;
  }
  let fraction = exponent - whole;
  let root = fraction < 1 ? base : base * base;
  if (fraction >= 1) fraction = 0.5;
  for (let bit = 0; bit < 53 && fraction > 0; bit++) {
    root = Math.sqrt(root);
    fraction *= 2;
    if (fraction < 1) continue;
    result *= root;
    fraction -= 1;
  }
  return finite(result);
}

const isNumeric = (value: Inner): value is bigint | number => typeof value === 'bigint' || typeof value === 'number';

/** JavaScript compares a bigint with a number exactly. */
function compare(a: Inner, b: Inner): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b);
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  throw new Refusal('they cannot be compared');
}

function isEqual(a: Inner, b: Inner): boolean {
  if (isNumeric(a) && isNumeric(b)) return compare(a, b) === 0;
  if (!isList(a) || !isList(b)) return a === b;
  return a.length === b.length && a.every((one, i) => isEqual(one, b[i]!));
}

const isList = (value: Inner): value is readonly Inner[] => Array.isArray(value);

function item(list: Inner, place: Inner): Inner {
  if (list === null) return null;
  if (!isList(list) || typeof place !== 'bigint') throw new Refusal('no list, or no place');
  return list[Number(place)] ?? null;
}

/** Of a text, in bytes of UTF-8. */
function length(value: Inner): bigint {
  if (isList(value)) return BigInt(value.length);
  return BigInt(Buffer.byteLength(text(value)));
}
