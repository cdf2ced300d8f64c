// The answer of a transaction with an id: the result of its body as JSON. The home shard keeps it, so every caller that sends the
// transaction again gets the same answer. A value that JSON would lose or change is refused, except that members that are undefined
// are left out.
//
// Three values extend JSON: {"$": "12n"} is a bigint, {"$": "-0"} is that number, {"$": ""} is undefined. A caller's own object
// whose only member is called `$` is wrapped once more: {"$": {"$": …}}.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';

/** The greatest answer that a shard takes. */
const ANSWER_BYTES_MAX = 64 * 1024;
const DEPTH_MAX = 100;
const MARK = '$';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes of an answer; none for undefined. Throws `invalid_answer`. */
export function encodeAnswer(value: unknown): Uint8Array {
  if (value === undefined) return new Uint8Array(0);
  const bytes = new TextEncoder().encode(textOf(value));
  if (bytes.length > ANSWER_BYTES_MAX) throw refused(`has ${bytes.length} bytes as JSON; ${ANSWER_BYTES_MAX} can be kept`);
  return bytes;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(plain(value, 0));
  } catch (error) {
    throw error instanceof ClaretError ? error : refused(`cannot be read: ${String(error)}`);
  }
}

/** Throws `SyntaxError` or `TypeError` for bytes that are no answer. */
export function decodeAnswer(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  return restored(JSON.parse(utf8.decode(bytes)));
}

const refused = (why: string): ClaretError =>
  new ClaretError({ code: codes.invalidAnswer, message: `The result of a transaction with an id ${why}` });

function plain(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw refused(`is nested deeper than ${DEPTH_MAX}, or holds itself`);
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw refused('holds half of a surrogate pair');
      return value;
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw refused(`holds ${value}, which JSON cannot`);
      return Object.is(value, -0) ? { [MARK]: '-0' } : value;
    case 'bigint':
      return { [MARK]: `${value}n` };
    case 'undefined':
      return { [MARK]: '' };
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return Array.from(value, (item) => plain(item, depth + 1));
      return members(value, depth);
    default:
      throw refused(`holds a ${typeof value}, which JSON cannot`);
  }
}

function members(value: object, depth: number): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw refused(`holds a ${value.constructor?.name ?? 'thing'}: only what JSON has can be kept`);
  }
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  const kept = Object.fromEntries(entries.map(([name, member]) => [name, plain(member, depth + 1)]));
  return isMarked(kept) ? { [MARK]: kept } : kept;
}

function isMarked(value: object): boolean {
  const names = Object.keys(value);
  return names.length === 1 && names[0] === MARK;
}

function restored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restored);
  if (typeof value !== 'object' || value === null) return value;
  const marked = isMarked(value) ? (value as Record<string, unknown>)[MARK] : value;
  if (marked === '') return undefined;
  if (marked === '-0') return -0;
  if (typeof marked === 'string' && marked.endsWith('n')) return BigInt(marked.slice(0, -1));
  if (typeof marked !== 'object' || marked === null || Array.isArray(marked)) throw new TypeError('an unknown mark');
  return Object.fromEntries(Object.entries(marked).map(([name, member]) => [name, restored(member)]));
}
