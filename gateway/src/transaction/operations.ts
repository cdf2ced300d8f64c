// Converts callers' operations to the client's descriptions, and the client's errors to the gateway's.
import { ClaretError, Description, LABEL_BYTES_MAX, OPERATIONS_PER_REQUEST_MAX } from '@claret/client';
import { GatewayError, isErrorCode, isRefusalCode } from '../errors.ts';
import { argumentsFromJson, argumentsFromWire } from './arguments.ts';
import type { Catalogue } from './catalogue.ts';

/** an operation as in a REST body */
export interface NamedOperation {
  key: string;
  type: string;
  operation: string;
  /** none by default */
  arguments?: readonly unknown[];
}

/** an operation of a transaction that may have to have a certain result; null: absent */
export interface ExpectingOperation extends NamedOperation {
  expect?: unknown;
}

/** an operation as in claret.v1.Operation: identified by its code or, if that is 0, by its name */
export interface WireOperation {
  key: string;
  code: number;
  name: string;
  arguments: readonly unknown[];
  at?: bigint;
  /** the result that it has to have; undefined in it: absent */
  expected?: { readonly value: unknown };
}

/** Throws GatewayError. */
export function describeNamed(catalogue: Catalogue, operation: NamedOperation): Description<unknown> {
  const { key } = operation;
  return translated(() => {
    const spec = catalogue.find(operation.type, operation.operation, key);
    return new Description(spec, key, argumentsFromJson(spec, key, operation.arguments ?? []));
  });
}

/** Throws GatewayError. */
export function describeFromWire(catalogue: Catalogue, operation: WireOperation): Description<unknown> {
  const { key } = operation;
  return translated(() => {
    const spec = catalogue.findOnWire(operation.code, operation.name, key);
    return new Description(spec, key, argumentsFromWire(spec, key, operation.arguments));
  });
}

/** Throws too_many_operations. */
export function checkCount(operations: readonly unknown[]): void {
  if (operations.length <= OPERATIONS_PER_REQUEST_MAX) return;
  throw new GatewayError(
    'too_many_operations',
    `One call may carry ${OPERATIONS_PER_REQUEST_MAX} operations, and this one has ${operations.length}.`,
  );
}

/** Throws argument_too_large. */
export function checkLabel(label: string): void {
  if (Buffer.byteLength(label) <= LABEL_BYTES_MAX) return;
  throw new GatewayError('argument_too_large', `A label may have ${LABEL_BYTES_MAX} bytes.`);
}

function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromClient(error);
  }
}

/** Converts a ClaretError to a GatewayError; returns any other error unchanged. */
export function fromClient(error: unknown): unknown {
  if (!(error instanceof ClaretError)) return error;
  const { key, operation, blockingOperation, blockingLabel, cause, commitState, retries, retryable } = error;
  const detail = { key, operation, blockingOperation, blockingLabel, cause, commitState, retries, retryable };
  return isErrorCode(error.code) || isRefusalCode(error.code)
    ? new GatewayError(error.code, error.message, detail)
    : new GatewayError('internal', `${error.code}: ${error.message}`, detail);
}
