// Decodes TransactRequest and ExecuteRequest strictly, into values as the client takes them; encodes results and errors in the form of
// grpc-js's loader.
import { GatewayError } from '../errors.ts';
import { bytesOf, doubleOf, fieldsOf, fixedOf, signedOf, textOf, varintOf } from './protobuf.ts';

/** nesting of lists; the shard allows fewer levels and reports an error for each operation */
const VALUE_DEPTH_MAX = 16;

/** undefined: absent */
export type WireValue = number | bigint | string | boolean | undefined | WireValue[];

export interface WireOperation {
  key: string;
  /** 0: see name */
  code: number;
  /** "Set.add" */
  name: string;
  arguments: WireValue[];
  /** of a native: the timestamp as of which it observes; 0: now */
  at: bigint;
  /** of an operation of a transaction: the result that it has to have; missing: any */
  expected?: { value: WireValue };
}

export interface WireTransact {
  label: string;
  operations: WireOperation[];
  /** empty: none */
  id: Uint8Array;
}

/** Throws GatewayError: malformed_frame, invalid_utf8, nested_too_deep, not_finite. */
export function decodeTransact(bytes: Uint8Array): WireTransact {
  const request: WireTransact = { label: '', operations: [], id: new Uint8Array(0) };
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) request.label = textOf(value);
    else if (number === 2) request.operations.push(decodeOperation(bytesOf(value)));
    else if (number === 3) request.id = bytesOf(value);
  }
  return request;
}

/** Throws what decodeTransact does. */
export function decodeExecute(bytes: Uint8Array): WireOperation[] {
  return [...fieldsOf(bytes)].filter(({ number }) => number === 1).map(({ value }) => decodeOperation(bytesOf(value)));
}

function decodeOperation(bytes: Uint8Array): WireOperation {
  const operation: WireOperation = { key: '', code: 0, name: '', arguments: [], at: 0n };
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) operation.key = textOf(value);
    else if (number === 2) operation.code = Number(BigInt.asUintN(32, varintOf(value)));
    else if (number === 3) operation.arguments.push(decodeValue(bytesOf(value), 0));
    else if (number === 4) operation.name = textOf(value);
    else if (number === 9) operation.at = fixedOf(value);
    else if (number === 12) operation.expected = { value: decodeValue(bytesOf(value), 0) };
  }
  return operation;
}

// As in protobuf, the last field wins if several kinds are present.
function decodeValue(bytes: Uint8Array, depth: number): WireValue {
  if (depth > VALUE_DEPTH_MAX) throw new GatewayError('nested_too_deep', `Lists may be nested ${VALUE_DEPTH_MAX} levels deep.`);
  let result: WireValue;
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) result = signedOf(value);
    else if (number === 2) result = finite(doubleOf(value));
    else if (number === 3) result = textOf(value);
    else if (number === 4) result = varintOf(value) !== 0n;
    else if (number === 5) result = decodeList(bytesOf(value), depth);
  }
  return result;
}

function decodeList(bytes: Uint8Array, depth: number): WireValue[] {
  const items: WireValue[] = [];
  for (const { number, value } of fieldsOf(bytes)) if (number === 1) items.push(decodeValue(bytesOf(value), depth + 1));
  return items;
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new GatewayError('not_finite', 'A number must be finite.');
  return value;
}

/** A result as message Value in the loader's form. */
export function encodeValue(value: unknown): object {
  if (value === null || value === undefined) return {};
  if (typeof value === 'boolean') return { boolean: value };
  if (typeof value === 'bigint') return { integer: value.toString() };
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { integer: value } : { number: value };
  if (typeof value === 'string') return { text: value };
  if (Array.isArray(value)) return { list: { items: value.map(encodeValue) } };
  return { list: { items: Object.entries(value).map((entry) => encodeValue(entry)) } };
}

/** An error as message Error in the loader's form. */
export function encodeError({ code, message, retryable, detail }: GatewayError): object {
  const { key, operation, blockingOperation, blockingLabel, cause } = detail;
  return { code, message, retryable, key, operation, blockingOperation, blockingLabel, cause };
}
