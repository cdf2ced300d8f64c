// Identity: what tells the nodes of computations apart. Two programs with different code never mean the same node.

import { createHash } from 'node:crypto';
import type { OperationSpec } from '../values/operation-spec.ts';
import { textOf, valueOf } from '../values/json.ts';

const HASH_BYTES = 16;

/** 128 bits, hexadecimal. */
export const hashOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * HASH_BYTES);

/** The same text for equal arguments, whatever the order of an object's members. Throws `Unkeepable`. */
export function canonical(args: readonly unknown[]): string {
  return args.every(isPlain) ? JSON.stringify(args) : JSON.stringify(sorted(JSON.parse(textOf(args))));
}

/** JSON has the value as it is. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === 'boolean' || value === null;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

/** The value that `canonical` or `textOf` has written, which nobody can change. */
export const frozenFrom = (text: string): unknown => frozen(valueOf(text));

function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}

/** Tells calls apart. */
export const nameOfCall = ({ code }: OperationSpec, key: string, args: readonly unknown[]): string =>
  JSON.stringify([code, key, canonical(args)]);
