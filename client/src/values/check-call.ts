// The check of a call as it is issued: key, number, kind and size of its arguments. What passes fits in a frame: a gateway ends the session that
// sends a longer one, with everything else in it.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { ARGUMENTS_BYTES_MAX, ITEMS_MAX, KEY_BYTES_MAX, LABEL_BYTES_MAX, TEXT_BYTES_MAX } from './limits.ts';
import type { OperationSpec } from './operation-spec.ts';
import type { Kind } from './values.ts';

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;
/** A unit of a text has at most so many bytes of UTF-8. Only texts that may be too long are measured. */
const UNIT_BYTES_MAX = 3;

function refuse(code: string, spec: OperationSpec, key: string, message: string): never {
  throw new ClaretError({ code, message, key, operation: spec.name });
}

function checkInteger(spec: OperationSpec, key: string, value: unknown): void {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return;
    if (!Number.isFinite(value)) refuse(codes.notFinite, spec, key, `${value} is not an integer`);
    if (!Number.isInteger(value)) refuse(codes.wrongArgumentType, spec, key, `${value} is not an integer`);
    refuse(codes.outOfRange, spec, key, `${value} is beyond the safe integers; use a bigint`);
  }
  if (typeof value !== 'bigint') refuse(codes.wrongArgumentType, spec, key, `expected an integer, got ${typeof value}`);
  if (value < INTEGER_MIN || value > INTEGER_MAX) refuse(codes.outOfRange, spec, key, `${value} is beyond 64 bits`);
}

function checkKey(spec: OperationSpec, key: unknown): void {
  if (typeof key !== 'string') refuse(codes.wrongArgumentType, spec, '', 'a key is a text');
  // The error does not name a key that is too long: it is passed on, in places with limits of their own.
  if (key.length === 0) refuse(codes.invalidKey, spec, '', 'a key cannot be empty');
  if (key.length * UNIT_BYTES_MAX > KEY_BYTES_MAX && Buffer.byteLength(key) > KEY_BYTES_MAX) {
    refuse(codes.invalidKey, spec, '', `a key has at most ${KEY_BYTES_MAX} bytes`);
  }
  if (!key.isWellFormed()) refuse(codes.invalidUtf8, spec, key, 'the key has a lone surrogate');
}

// The checks of values return the number of units of their texts.

function checkText(spec: OperationSpec, key: string, value: unknown): number {
  if (typeof value !== 'string') refuse(codes.wrongArgumentType, spec, key, `expected a text, got ${typeof value}`);
  if (value.length * UNIT_BYTES_MAX > TEXT_BYTES_MAX && Buffer.byteLength(value) > TEXT_BYTES_MAX) {
    refuse(codes.argumentTooLarge, spec, key, `a text has at most ${TEXT_BYTES_MAX} bytes`);
  }
  if (!value.isWellFormed()) refuse(codes.invalidUtf8, spec, key, 'the text has a lone surrogate');
  return value.length;
}

function checkScalar(spec: OperationSpec, key: string, value: unknown): number {
  if (typeof value === 'string') return checkText(spec, key, value);
  if (typeof value === 'bigint') checkInteger(spec, key, value);
  else if (typeof value === 'number') checkFinite(spec, key, value);
  else if (typeof value !== 'boolean') refuse(codes.wrongArgumentType, spec, key, `expected a scalar, got ${typeof value}`);
  return 0;
}

function checkFinite(spec: OperationSpec, key: string, value: number): void {
  if (!Number.isFinite(value)) refuse(codes.notFinite, spec, key, `${value} is not finite`);
}

function checkCount(spec: OperationSpec, key: string, items: number): void {
  if (items > ITEMS_MAX) refuse(codes.argumentTooLarge, spec, key, `a list has at most ${ITEMS_MAX} items, not ${items}`);
}

type CheckItem = (spec: OperationSpec, key: string, item: unknown) => number;

function checkList(spec: OperationSpec, key: string, list: unknown, of: string, checkItem: CheckItem): number {
  if (!Array.isArray(list)) refuse(codes.wrongArgumentType, spec, key, `expected a list of ${of}`);
  checkCount(spec, key, list.length);
  let units = 0;
  for (const item of list) units += checkItem(spec, key, item);
  return units;
}

function checkEntries(spec: OperationSpec, key: string, value: unknown): number {
  if (value === null || typeof value !== 'object') refuse(codes.wrongArgumentType, spec, key, 'expected fields');
  const entries = Object.entries(value);
  checkCount(spec, key, entries.length);
  let units = 0;
  for (const [field, scalar] of entries) units += checkText(spec, key, field) + checkScalar(spec, key, scalar);
  return units;
}

function checkArgument(spec: OperationSpec, key: string, kind: Kind, value: unknown): number {
  switch (kind) {
    case 'text':
      return checkText(spec, key, value);
    case 'integer':
      checkInteger(spec, key, value);
      return 0;
    case 'scalar':
      return checkScalar(spec, key, value);
    case 'optional':
      return value === null ? 0 : checkScalar(spec, key, value);
    case 'boolean':
      if (typeof value !== 'boolean') refuse(codes.wrongArgumentType, spec, key, `expected a boolean, got ${typeof value}`);
      return 0;
    case 'number':
      if (typeof value !== 'number') refuse(codes.wrongArgumentType, spec, key, `expected a number, got ${typeof value}`);
      checkFinite(spec, key, value);
      return 0;
    case 'texts':
      return checkList(spec, key, value, 'texts', checkText);
    case 'scalars':
      return checkList(spec, key, value, 'scalars', checkScalar);
    case 'entries':
      return checkEntries(spec, key, value);
    default:
      refuse(codes.wrongArgumentType, spec, key, `a parameter cannot be of kind ${kind}`);
  }
}

/** The bytes of all texts in a value. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textBytes(item), 0);
  return typeof value === 'object' && value !== null ? textBytes(Object.entries(value)) : 0;
}

/** Throws `ClaretError` for a label that no shard would take. */
export function checkLabel(label: string): void {
  if (typeof label !== 'string') throw new ClaretError({ code: codes.wrongArgumentType, message: 'a label is a text' });
  if (label.length * UNIT_BYTES_MAX > LABEL_BYTES_MAX && Buffer.byteLength(label) > LABEL_BYTES_MAX) {
    throw new ClaretError({ code: codes.argumentTooLarge, message: `A label has at most ${LABEL_BYTES_MAX} bytes.` });
  }
  if (!label.isWellFormed()) throw new ClaretError({ code: codes.invalidUtf8, message: 'The label has a lone surrogate.' });
}

/**
 * Throws `ClaretError` if no shard could take the call. Returns the arguments as they are now: the call may be sent later, and compared with that
 * of another run of the body, when the caller's object has changed.
 */
export function checkedArguments(spec: OperationSpec, key: string, args: readonly unknown[]): readonly unknown[] {
  checkKey(spec, key);
  const { parameters } = spec;
  if (args.length !== parameters.length) {
    const wanted = parameters.length === 0 ? 'no arguments' : parameters.length === 1 ? '1 argument' : `${parameters.length} arguments`;
    refuse(codes.wrongArgumentCount, spec, key, `the operation takes ${wanted}, not ${args.length}`);
  }
  let own: unknown[] | null = null;
  let units = 0;
  for (let i = 0; i < parameters.length; i++) {
    const kind = parameters[i]!;
    units += checkArgument(spec, key, kind, args[i]);
    if (kind === 'entries') (own ??= [...args])[i] = { ...(args[i] as object) };
    else if (kind === 'texts' || kind === 'scalars') (own ??= [...args])[i] = [...(args[i] as readonly unknown[])];
  }
  if (units * UNIT_BYTES_MAX > ARGUMENTS_BYTES_MAX && textBytes(args) > ARGUMENTS_BYTES_MAX) {
    refuse(codes.argumentTooLarge, spec, key, `the arguments have over ${ARGUMENTS_BYTES_MAX} bytes of text together`);
  }
  return own ?? args;
}
