// The size of an operation on the wire, estimated well enough to know when a frame is full.

import type { Call } from '../values/call.ts';
import { isNamed } from '../values/operation-spec.ts';

const OPERATION_BYTES = 16;

export function estimatedBytes(operation: Call): number {
  let bytes = OPERATION_BYTES + operation.key.length;
  if (isNamed(operation.spec)) bytes += operation.spec.name.length;
  for (const argument of operation.args) {
    if (typeof argument === 'string') bytes += argument.length;
    else if (Array.isArray(argument)) bytes += 16 * argument.length;
    else if (typeof argument === 'object' && argument !== null) bytes += 32 * Object.keys(argument).length;
    else bytes += 8;
  }
  return bytes;
}
