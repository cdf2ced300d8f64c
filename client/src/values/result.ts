// The result of an operation in the form that the caller gets.

import type { Kind, WireValue } from './values.ts';

/** Entries become an object, in which `__proto__` is an ordinary field. Other kinds stay as they are. */
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
