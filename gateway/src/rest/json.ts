// JSON bodies, read without losing anything: what JSON.parse would round, or accept too kindly, is refused instead.
//
// A body becomes plain data. `__proto__` and `constructor` are ordinary members (JSON.parse defines own properties; so
// whoever copies members must use entries or null-prototype objects). Objects may repeat a member: the last one counts.
import { GatewayError } from '../errors.ts';

/** Levels of [] and {} in one document. */
export const JSON_DEPTH_MAX = 16;

/** Throws GatewayError: invalid_utf8, nested_too_deep, malformed_json, out_of_range. */
export function parseJson(bytes: Uint8Array): unknown {
  return parseJsonText(decodeUtf8(bytes));
}

/** As parseJson, of a text that came another way (a query parameter). */
export function parseJsonText(text: string): unknown {
  checkDepth(text);
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

// Before JSON.parse, so that depth never costs stack. Brackets within strings do not count.
function checkDepth(text: string): void {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (quoted) {
      if (c === 0x5c /* \ */) i++;
      else if (c === 0x22 /* " */) quoted = false;
    } else if (c === 0x22) quoted = true;
    else if (c === 0x5b /* [ */ || c === 0x7b /* { */) {
      if (++depth > JSON_DEPTH_MAX) throw new GatewayError('nested_too_deep', `JSON may be nested ${JSON_DEPTH_MAX} levels deep.`);
    } else if (c === 0x5d /* ] */ || c === 0x7d /* } */) depth--;
  }
}

function checkLeaf(this: unknown, name: string, value: unknown, context?: { source?: string }): unknown {
  if (!name.isWellFormed()) throw loneSurrogate();
  if (typeof value === 'string' && !value.isWellFormed()) throw loneSurrogate();
  if (typeof value === 'number') checkNumber(value, context?.source ?? String(value));
  return value;
}

// 9007199254740993 arrives here as ...992: above the limit either way. 2^53 itself is refused, since it might be ...993.
function checkNumber(value: number, source: string): void {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return;
  const shown = source.slice(0, 40);
  throw new GatewayError('out_of_range', `The JSON number ${shown} is beyond 2^53 - 1: send a large integer as a string.`);
}

const loneSurrogate = () => new GatewayError('invalid_utf8', 'A text holds half of a surrogate pair, which no UTF-8 can.');
