// Converts callers' arguments to the client's form, and results to JSON.
//
// Only the form is converted here; the client and the shard check the kind of each argument.
import { ClaretError, startOf, type Kind, type OperationSpec } from '@claret/client';

const INTEGER = /^[+-]?\d+$/;
/** longer text is refused without parsing; 64-bit integers have at most 19 digits */
const DIGITS_MAX = 40;
const NOT_FINITE = /^[+-]?(nan|inf(inity)?)$/i;

const refused = (code: string, spec: OperationSpec, key: string, message: string): ClaretError =>
  new ClaretError({ code, message, key, operation: spec.name });

/** From JSON: an integer may be a string; fields may be an object or a list of pairs. */
export function argumentsFromJson(spec: OperationSpec, key: string, args: readonly unknown[]): unknown[] {
  return args.map((value, i) => fromJson(spec, key, spec.parameters[i], value));
}

/** From a wire message: fields are a list of pairs; a number may be encoded as an integer. */
export function argumentsFromWire(spec: OperationSpec, key: string, args: readonly unknown[]): unknown[] {
  return args.map((value, i) => fromWire(spec, key, spec.parameters[i], value ?? null));
}

function fromJson(spec: OperationSpec, key: string, kind: Kind | undefined, value: unknown): unknown {
  if (kind === 'integer' && typeof value === 'string') return integerFromText(spec, key, value);
  if (kind === 'number' && typeof value === 'string' && NOT_FINITE.test(value)) {
    throw refused('not_finite', spec, key, `'${value}' is not finite`);
  }
  if (kind === 'entries' && Array.isArray(value)) return fieldsFromPairs(spec, key, value);
  return value;
}

function fromWire(spec: OperationSpec, key: string, kind: Kind | undefined, value: unknown): unknown {
  if (kind === 'number' && typeof value === 'bigint') return Number(value);
  if (kind === 'entries' && Array.isArray(value)) return fieldsFromPairs(spec, key, value);
  return value;
}

function integerFromText(spec: OperationSpec, key: string, text: string): bigint | number {
  if (NOT_FINITE.test(text)) throw refused('not_finite', spec, key, `'${text}' is not finite`);
  if (!INTEGER.test(text)) {
    throw refused('wrong_argument_type', spec, key, `'${startOf(text, 40)}' is not an integer`);
  }
  if (text.length > DIGITS_MAX) throw refused('out_of_range', spec, key, 'the integer is beyond 64 bits');
  const integer = BigInt(text.replace('+', ''));
  return BigInt.asIntN(54, integer) === integer && integer !== -(2n ** 53n) ? Number(integer) : integer;
}

// Object.fromEntries defines own properties, so that `__proto__` is a field like any other.
function fieldsFromPairs(spec: OperationSpec, key: string, pairs: unknown[]): Record<string, unknown> {
  if (!pairs.every((pair) => Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string')) {
    throw refused('wrong_argument_type', spec, key, 'fields must be pairs [text, value]');
  }
  return Object.fromEntries(pairs as [string, unknown][]);
}

/** A result for JSON: integers beyond 2^53 - 1 as strings, an absent value as null. */
export function resultToJson(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value === 0) return 0; // JSON has -0, and its readers lose it
  if (Array.isArray(value)) return value.map(resultToJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, scalar]) => [field, resultToJson(scalar)]));
  }
  return value;
}
