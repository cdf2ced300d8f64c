// A strict JSON parser: refuses what JSON.parse would round or silently accept. That is an integer beyond 2^53 - 1, a number beyond the
// range of a double, and a repeated member of an object. A number with a fraction or an exponent is a double.
//
// `__proto__` and `constructor` are ordinary members of the result, since JSON.parse defines own properties. Code that copies members must
// therefore use entries or null-prototype objects.
import { startOf } from '@claret/client';
import { GatewayError } from '../errors.ts';

/** levels of [] and {} in one document */
export const JSON_DEPTH_MAX = 16;

/** Throws GatewayError: invalid_utf8, nested_too_deep, malformed_json, invalid_request, out_of_range. */
export function parseJson(bytes: Uint8Array): unknown {
  return parseJsonText(decodeUtf8(bytes));
}

/** Like parseJson, for a text that is not a body (a query parameter). */
export function parseJsonText(text: string): unknown {
  checkShape(text);
  try {
    return JSON.parse(text, checkLeaf);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('malformed_json', `The body is not JSON: ${(error as Error).message}`);
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new GatewayError('invalid_utf8', 'The body is not valid UTF-8.');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Refuses JSON that is nested too deeply or repeats a member. It runs before JSON.parse, which would use stack for each level and keep the
 * last of two equal members. A text that is not JSON may pass; JSON.parse then refuses it.
 */
function checkShape(text: string): void {
  /** the members so far of the object at each level; null: an array */
  const levels: (Set<string> | null)[] = [];
  const sets: Set<string>[] = [];
  let members: Set<string> | null = null;
  let isName = false;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        const from = i++;
        for (let c = text.charCodeAt(i); c !== QUOTE && i < text.length; c = text.charCodeAt(++i)) if (c === BACKSLASH) i++;
        if (isName) addMember(members!, text.slice(from, i + 1));
        isName = false;
        break;
      }
      case 0x5b /* [ */:
      case 0x7b /* { */:
        isName = text.charCodeAt(i) === 0x7b;
        if (levels.length === JSON_DEPTH_MAX)
          throw new GatewayError('nested_too_deep', `JSON may be nested ${JSON_DEPTH_MAX} levels deep.`);
        members = isName ? (sets[levels.length] ??= new Set()) : null;
        members?.clear();
        levels.push(members);
        break;
      case 0x5d /* ] */:
      case 0x7d /* } */:
        levels.pop();
        members = levels.at(-1) ?? null;
        isName = false;
        break;
      case 0x2c /* , */:
        isName = members !== null;
        break;
      default:
    }
  }
}

/** `quoted`: as in the text; escapes can spell one name in different ways */
function addMember(members: Set<string>, quoted: string): void {
  const name = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1);
  if (members.has(name))
    throw new GatewayError('invalid_request', `The member ${JSON.stringify(startOf(name, 40))} stands twice in one object.`);
  members.add(name);
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted; // JSON.parse refuses the whole text
  }
}

function checkLeaf(this: unknown, name: string, value: unknown, context?: { source?: string }): unknown {
  if (!name.isWellFormed()) throw loneSurrogate();
  if (typeof value === 'string' && !value.isWellFormed()) throw loneSurrogate();
  if (typeof value === 'number') checkNumber(value, context?.source ?? String(value));
  return value;
}

const INTEGER = /^-?\d+$/;

// 9007199254740993 arrives as ...992, which is also above the limit. 2^53 itself is refused, since the text might have been ...993.
function checkNumber(value: number, source: string): void {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  const isInteger = INTEGER.test(source);
  if (!isInteger && Number.isFinite(value)) return;
  const shown = source.slice(0, 40);
  const why = isInteger
    ? 'is beyond 2^53 - 1: send a large integer as a string, a large double with an exponent'
    : 'is beyond what a double holds';
  throw new GatewayError('out_of_range', `The JSON number ${shown} ${why}.`);
}

const loneSurrogate = () => new GatewayError('invalid_utf8', 'A text holds half of a surrogate pair, which no UTF-8 can.');
