// Values of applications as JSON. What JSON would lose or change is refused, except that members that are undefined are left out.
//
// Three values extend JSON: {"$": "12n"} is a bigint, {"$": "-0"} is that number, {"$": ""} is undefined. A caller's own object
// whose only member is called `$` is wrapped once more: {"$": {"$": …}}.

const DEPTH_MAX = 100;
const MARK = '$';

/** The value cannot be kept. The message completes a sentence that begins with what the value is. */
export class Unkeepable extends Error {}

/** Throws `Unkeepable`. */
export function textOf(value: unknown): string {
  try {
    return JSON.stringify(plain(value, 0));
  } catch (error) {
    throw error instanceof Unkeepable ? error : new Unkeepable(`cannot be read: ${String(error)}`);
  }
}

/** Throws `SyntaxError` or `TypeError` for a text that is none of `textOf`. */
export const valueOf = (text: string): unknown => restored(JSON.parse(text));

function plain(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new Unkeepable(`is nested deeper than ${DEPTH_MAX}, or holds itself`);
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new Unkeepable('holds half of a surrogate pair');
      return value;
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new Unkeepable(`holds ${value}, which JSON cannot`);
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
      throw new Unkeepable(`holds a ${typeof value}, which JSON cannot`);
  }
}

function members(value: object, depth: number): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) {
    throw new Unkeepable(`holds a ${value.constructor?.name ?? 'thing'}: only what JSON has can be kept`);
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
