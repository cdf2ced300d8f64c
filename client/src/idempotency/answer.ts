// The answer of a transaction with an id: the result of its body as JSON (values/json.ts). The home shard keeps it, so every caller that
// sends the transaction again gets the same answer.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { textOf, valueOf, type Unkeepable } from '../values/json.ts';
import { ANSWER_BYTES_MAX } from '../values/limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The bytes of an answer; none for undefined. Throws `invalid_answer`. */
export function encodeAnswer(value: unknown): Uint8Array {
  if (value === undefined) return new Uint8Array(0);
  let text: string;
  try {
    text = textOf(value);
  } catch (error) {
    throw refused((error as Unkeepable).message);
  }
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > ANSWER_BYTES_MAX) throw refused(`has ${bytes.length} bytes as JSON; ${ANSWER_BYTES_MAX} can be kept`);
  return bytes;
}

/** Throws `SyntaxError` or `TypeError` for bytes that are no answer. */
export function decodeAnswer(bytes: Uint8Array): unknown {
  return bytes.length === 0 ? undefined : valueOf(utf8.decode(bytes));
}

const refused = (why: string): ClaretError =>
  new ClaretError({ code: codes.invalidAnswer, message: `The result of a transaction with an id ${why}` });
