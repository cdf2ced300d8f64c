// Model: a data type, written as simply as possible and independently of the core, to check histories against.
//
// `execute` computes results on the committed state and changes nothing; `commit` changes the state, and never fails. Values are
// those of histories (docs/history.md).

import type { HistoryValue } from '@claret/client';

/** An earlier operation of the same transaction on the same record. */
export interface Step {
  op: string;
  args: HistoryValue[];
  result: HistoryValue | undefined;
}

export interface Model {
  /**
   * The result; undefined for an operation without one, `FRESH` for an unpredictable one. `own` matters only for reservations of
   * the same transaction (docs/rules.md, section 1). Throws `Refusal`.
   */
  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined | typeof FRESH;
  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void;
  clone(): Model;
  /** Whether the contents are equal. REQUIRES: of the same type. */
  equals(other: Model): boolean;
}

/** A result that is new each time: only its uniqueness can be checked. */
export const FRESH = Symbol('fresh');

/** The core refuses the operation: no committed transaction contains it. */
export class Refusal extends Error {}

/** The model's state after the transaction's own steps. */
export function withOwn<M extends Model>(model: M, own: readonly Step[]): M {
  if (own.length === 0) return model;
  const after = model.clone() as M;
  for (const { op, args, result } of own) after.commit(op, args, result);
  return after;
}

// ---- values ----

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

export function isInteger(value: HistoryValue | undefined): value is number | { integer: string } {
  return typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'object' && value !== null && 'integer' in value;
}

/** REQUIRES: an integer. */
export function integerOf(value: HistoryValue | undefined): bigint {
  if (typeof value === 'number') return BigInt(value);
  return BigInt((value as { integer: string }).integer);
}

export function valueOf(integer: bigint): HistoryValue {
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : { integer: String(integer) };
}

/** Throws `Refusal` for integers beyond 64 bits. */
export function checkRange(integer: bigint, least = INTEGER_MIN): void {
  if (integer < least || integer > INTEGER_MAX) throw new Refusal('out of range');
}

/** Throws `Refusal` for a page size of zero, or of more than 1,000. */
export function pageSize(value: HistoryValue | undefined): number {
  const size = integerOf(value);
  if (size < 1n || size > 1000n) throw new Refusal('page size');
  return Number(size);
}

export function sameValue(a: HistoryValue | undefined, b: HistoryValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]!));
  }
  return a.integer === b.integer;
}

/** Order of the UTF-8 bytes, which is that of code points; code units differ only between surrogates and higher characters. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);

export function sameMaps<V>(a: ReadonlyMap<string, V>, b: ReadonlyMap<string, V>, same: (x: V, y: V) => boolean): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !same(value, other)) return false;
  }
  return true;
}
