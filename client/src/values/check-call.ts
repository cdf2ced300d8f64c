// The check of a call as it is issued: key, number of arguments and kind of each.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { OperationSpec } from './operation-spec.ts';
import type { Kind } from './values.ts';

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

function refuse(code: string, spec: OperationSpec, key: string, message: string): never {
  throw new ClaretError({ code, message: `${spec.name}: ${message}`, key, operation: spec.name });
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

function checkText(spec: OperationSpec, key: string, value: unknown): void {
  if (typeof value !== 'string') refuse(codes.wrongArgumentType, spec, key, `expected a text, got ${typeof value}`);
  if (!value.isWellFormed()) refuse(codes.invalidUtf8, spec, key, 'the text has a lone surrogate');
}

function checkScalar(spec: OperationSpec, key: string, value: unknown): void {
  if (typeof value === 'string') return checkText(spec, key, value);
  if (typeof value === 'bigint') return checkInteger(spec, key, value);
  if (typeof value === 'boolean') return;
  if (typeof value !== 'number') refuse(codes.wrongArgumentType, spec, key, `expected a scalar, got ${typeof value}`);
  if (!Number.isFinite(value)) refuse(codes.notFinite, spec, key, `${value} is not finite`);
}

function checkArgument(spec: OperationSpec, key: string, kind: Kind, value: unknown): void {
  switch (kind) {
    case 'text':
      return checkText(spec, key, value);
    case 'integer':
      return checkInteger(spec, key, value);
    case 'scalar':
      return checkScalar(spec, key, value);
    case 'optional':
      return value === null ? undefined : checkScalar(spec, key, value);
    case 'boolean':
      if (typeof value !== 'boolean') refuse(codes.wrongArgumentType, spec, key, `expected a boolean, got ${typeof value}`);
      return;
    case 'number':
      if (typeof value !== 'number') refuse(codes.wrongArgumentType, spec, key, `expected a number, got ${typeof value}`);
      if (!Number.isFinite(value)) refuse(codes.notFinite, spec, key, `${value} is not finite`);
      return;
    case 'texts':
      if (!Array.isArray(value)) refuse(codes.wrongArgumentType, spec, key, 'expected a list of texts');
      for (const text of value) checkText(spec, key, text);
      return;
    case 'scalars':
      if (!Array.isArray(value)) refuse(codes.wrongArgumentType, spec, key, 'expected a list of scalars');
      for (const scalar of value) checkScalar(spec, key, scalar);
      return;
    case 'entries':
      if (value === null || typeof value !== 'object') refuse(codes.wrongArgumentType, spec, key, 'expected fields');
      for (const [field, scalar] of Object.entries(value)) {
        checkText(spec, key, field);
        checkScalar(spec, key, scalar);
      }
      return;
    default:
      refuse(codes.wrongArgumentType, spec, key, `a parameter cannot be of kind ${kind}`);
  }
}

/**
 * Throws `ClaretError` if no shard could take the call. The shard checks the length of the key. Returns the arguments as they are now: the
 * call may be sent later, and compared with that of another run of the body, when the caller's object has changed.
 */
export function checkedArguments(spec: OperationSpec, key: string, args: readonly unknown[]): readonly unknown[] {
  if (typeof key !== 'string') refuse(codes.wrongArgumentType, spec, String(key), 'a key is a text');
  if (!key.isWellFormed()) refuse(codes.invalidUtf8, spec, key, 'the key has a lone surrogate');
  const { parameters } = spec;
  if (args.length !== parameters.length) {
    const wanted = parameters.length === 0 ? 'no arguments' : parameters.length === 1 ? '1 argument' : `${parameters.length} arguments`;
    throw new ClaretError({
      code: codes.wrongArgumentCount,
      message: `${spec.name} takes ${wanted}, not ${args.length}.`,
      key,
      operation: spec.name,
    });
  }
  let own: unknown[] | null = null;
  for (let i = 0; i < parameters.length; i++) {
    const kind = parameters[i]!;
    checkArgument(spec, key, kind, args[i]);
    if (kind === 'entries') (own ??= [...args])[i] = { ...(args[i] as object) };
    else if (kind === 'texts' || kind === 'scalars') (own ??= [...args])[i] = [...(args[i] as readonly unknown[])];
  }
  return own ?? args;
}
