// The size of an operation on the wire, estimated well enough to know when a frame is full. It is at least a third of what is true.

import type { Call } from '../values/call.ts';
import { isNamed } from '../values/operation-spec.ts';

const OPERATION_BYTES = 16;
/** of a value, beside its text */
const VALUE_BYTES = 8;
/** A text of no more units is taken to have as many bytes. */
const SHORT_TEXT_UNITS = 24;

export function estimatedBytes(operation: Call): number {
  let bytes = OPERATION_BYTES + textBytes(operation.key);
  if (isNamed(operation.spec)) bytes += operation.spec.name.length;
  for (const argument of operation.args) bytes += valueBytes(argument);
  return bytes;
}

const textBytes = (text: string): number => (text.length <= SHORT_TEXT_UNITS ? text.length : Buffer.byteLength(text));

export function valueBytes(value: unknown): number {
  let bytes = VALUE_BYTES;
  if (typeof value === 'string') return bytes + textBytes(value);
  if (typeof value !== 'object' || value === null) return bytes;
  if (Array.isArray(value)) for (const item of value) bytes += valueBytes(item);
  else for (const [field, scalar] of Object.entries(value)) bytes += 2 * VALUE_BYTES + textBytes(field) + valueBytes(scalar);
  return bytes;
}
