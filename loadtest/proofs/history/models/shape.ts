// Shapes: which values a field of the type Value may hold.

import type { Inner } from './inner.ts';

/** "boolean" | "integer" | "number" | "text" | "scalar" | ["maybe", shape] | ["list", shape] | ["record", [name, shape], …] */
export type Shape = string | readonly Shape[];

const BYTES_MAX = 64 * 1024;
const BYTES_OF_A_VALUE = 16;

/** Whether a field of that shape may hold the value: it has the shape, and is not too large. */
export const isHeld = (shape: Shape, value: Inner): boolean => hasShape(shape, value) && bytesOf(value) <= BYTES_MAX;

const isText = (value: Inner): boolean => typeof value === 'string' && Buffer.byteLength(value) <= BYTES_MAX;

function hasShape(shape: Shape, value: Inner): boolean {
  switch (shape) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return typeof value === 'bigint';
    case 'number':
      return typeof value === 'number';
    case 'text':
      return isText(value);
    case 'scalar':
      return isText(value) || ['boolean', 'bigint', 'number'].includes(typeof value);
  }
  const [head, ...rest] = shape as readonly Shape[];
  if (head === 'maybe') return value === null || hasShape(rest[0]!, value);
  if (!Array.isArray(value)) return false;
  const items = value as readonly Inner[];
  if (head === 'list') return items.every((item) => hasShape(rest[0]!, item));
  return items.length === rest.length && rest.every((member, i) => hasShape(member[1]!, items[i]!));
}

function bytesOf(value: Inner): number {
  if (typeof value === 'string') return BYTES_OF_A_VALUE + Buffer.byteLength(value);
  if (!Array.isArray(value)) return BYTES_OF_A_VALUE;
  return (value as readonly Inner[]).reduce((sum: number, item) => sum + bytesOf(item), BYTES_OF_A_VALUE);
}
