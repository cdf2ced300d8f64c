// Values: what arguments may be and what results become. Kinds are the core's (server-core/src/adt/adt.h).

import { ClaretError, codes } from './errors.ts';

/** A 64-bit integer: a number when it is safe, else a bigint. */
export type Integer = number | bigint;
export type Scalar = string | number | bigint | boolean;

/** A value as the wire has it; null: absent. */
export type WireValue = Scalar | null | WireValue[];

export type Kind =
  | 'void'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'text'
  | 'scalar'
  | 'optional'
  | 'texts'
  | 'scalars'
  | 'entries'
  | 'scored'
  | 'ranked'
  | 'ranked_item';

export type OperationClass = 'observe' | 'mutate' | 'both' | 'blind';

/** When an operation follows from one that another transaction of this client holds; adt.h says what each means. */
export type JoinHow = 'equal' | 'prefix' | 'first' | 'fields' | 'sub_range' | 'sub_range_by_score';

export interface JoinRule {
  /** code of the held operation */
  readonly holder: number;
  readonly how: JoinHow;
  /** index of the first parameter that may differ */
  readonly parameter: number;
}

/** What the catalogue says of one operation, as far as a client needs it. */
export interface OperationSpec {
  readonly code: number;
  /** "Set.add" */
  readonly name: string;
  readonly operationClass: OperationClass;
  readonly result: Kind;
  readonly parameters: readonly Kind[];
  /** the group of the type's operations that hold a record together */
  readonly mode: number;
  /** may be shared by, and joined from, another transaction of the process: covered, or a rule's joiner */
  readonly combinable: boolean;
  /** void, and goes with every operation of its mode: one that holds the record covers it */
  readonly covered: boolean;
  /** which held operations it may join; at most one rule for each */
  readonly joins: readonly JoinRule[];
}

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

/** Throws `ClaretError` where no shard could take the call. The key's length is left to the shard. */
export function checkCall(spec: OperationSpec, key: string, args: readonly unknown[]): void {
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
  for (let i = 0; i < parameters.length; i++) checkArgument(spec, key, parameters[i]!, args[i]);
}

/** A result as the caller gets it: entries become an object (with `__proto__` an ordinary field), the rest stays. */
export function resultOf(kind: Kind, value: WireValue): unknown {
  if (kind !== 'entries' || !Array.isArray(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const entry of value) {
    const [field, scalar] = entry as [string, WireValue];
    if (field === '__proto__') {
      Object.defineProperty(fields, field, { value: scalar, writable: true, enumerable: true, configurable: true });
    } else {
      fields[field] = scalar;
    }
  }
  return fields;
}
