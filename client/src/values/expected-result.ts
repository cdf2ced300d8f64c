// The result that a caller of another language expects of an operation, in the form in which this client has results.

import type { Integer, Kind } from './values.ts';

const DIGITS = /^[+-]?\d{1,19}$/;

/** Returns undefined if `given` is none. */
type Reading = (given: unknown) => unknown;

function integerOf(given: unknown): Integer | undefined {
  if (typeof given !== 'bigint') return Number.isSafeInteger(given) ? Number(given) || 0 : undefined;
  if (BigInt.asIntN(64, given) !== given) return undefined;
  return Number.isSafeInteger(Number(given)) ? Number(given) : given;
}

const integerInJson: Reading = (given) =>
  integerOf(typeof given === 'string' && DIGITS.test(given) ? BigInt(given.replace('+', '')) : given);

const numberOf: Reading = (given) => {
  const number = typeof given === 'bigint' ? Number(given) : given;
  return Number.isFinite(number) ? Number(number) || 0 : undefined;
};

const textOf: Reading = (given) => (typeof given === 'string' && given.isWellFormed() ? given : undefined);

const booleanOf: Reading = (given) => (typeof given === 'boolean' ? given : undefined);

const scalarOf: Reading = (given) => booleanOf(given) ?? textOf(given) ?? integerOf(given) ?? numberOf(given);

const optionalOf: Reading = (given) => (given === null ? null : scalarOf(given));

function listOf(given: unknown, itemOf: Reading): unknown[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const items = given.map(itemOf);
  return items.includes(undefined) ? undefined : items;
}

function pairOf(given: unknown, secondOf: Reading): unknown[] | undefined {
  if (!Array.isArray(given) || given.length !== 2) return undefined;
  const pair = [textOf(given[0]), secondOf(given[1])];
  return pair.includes(undefined) ? undefined : pair;
}

// Object.fromEntries defines own properties, so that `__proto__` is a field like any other.
function fieldsOf(given: unknown): object | undefined {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const pairs = listOf(isObject ? Object.entries(given) : given, (pair) => pairOf(pair, scalarOf));
  return pairs && Object.fromEntries(pairs as [string, unknown][]);
}

/**
 * Returns undefined if no operation with results of this kind has that result.
 * @param given null: absent; in JSON an integer may be a text
 */
export function expectedResult(kind: Kind, given: unknown, form: 'json' | 'wire'): unknown {
  const integer = form === 'json' ? integerInJson : integerOf;
  switch (kind) {
    case 'void':
      return undefined;
    case 'boolean':
      return booleanOf(given);
    case 'integer':
      return integer(given);
    case 'number':
      return numberOf(given);
    case 'text':
      return textOf(given);
    case 'scalar':
      return scalarOf(given);
    case 'optional':
      return optionalOf(given);
    case 'texts':
      return listOf(given, textOf);
    case 'scalars':
      return listOf(given, optionalOf);
    case 'entries':
      return fieldsOf(given);
    case 'scored':
      return listOf(given, (item) => pairOf(item, integer));
    case 'ranked':
      return listOf(given, (item) => pairOf(item, numberOf));
    case 'ranked_item':
      return given === null ? null : pairOf(given, numberOf);
  }
}
