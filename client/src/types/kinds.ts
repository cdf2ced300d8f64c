// Kinds: what parameters and results of operations are. The core has the same (server-core/src/adt/adt.h).

import type { Integer, Kind, Scalar } from '../values/values.ts';
import {
  listSort,
  pairSort,
  type ListValue,
  type PairValue,
  type EntriesLike,
  type OptionalsLike,
  type RankedItemLike,
  type RankedLike,
  type ScoredLike,
  type TextsLike,
} from './lists.ts';
import type { Sort, Value } from './value.ts';
import {
  optionalSort,
  SORTS,
  type BooleanLike,
  type BooleanValue,
  type IntegerLike,
  type IntegerValue,
  type NumberLike,
  type NumberValue,
  type OptionalLike,
  type OptionalValue,
  type ScalarLike,
  type ScalarValue,
  type TextLike,
  type TextValue,
} from './values.ts';

/** A kind with what it means: of a parameter, or of a result. */
export class Kinded<K extends ValueKind> {
  readonly kind: K;
  readonly meaning: string;

  constructor(kind: K, meaning: string) {
    this.kind = kind;
    this.meaning = meaning;
  }
}

export type ValueKind = Exclude<Kind, 'void'>;
export type ParameterKind = Exclude<ValueKind, 'scored' | 'ranked' | 'ranked_item'>;

/** For each kind: its symbol, the values accepted where the symbol is wanted, and the values that applications give and get. */
interface Kinds {
  boolean: { symbol: BooleanValue; like: BooleanLike; argument: boolean; result: boolean };
  integer: { symbol: IntegerValue; like: IntegerLike; argument: Integer; result: Integer };
  number: { symbol: NumberValue; like: NumberLike; argument: number; result: number };
  text: { symbol: TextValue; like: TextLike; argument: string; result: string };
  scalar: { symbol: ScalarValue; like: ScalarLike; argument: Scalar; result: Scalar };
  optional: { symbol: OptionalValue<ScalarValue>; like: OptionalLike; argument: Scalar | null; result: Scalar | null };
  texts: { symbol: ListValue<TextValue>; like: TextsLike; argument: readonly string[]; result: string[] };
  /** in results items may be absent */
  scalars: { symbol: ListValue<ScalarValue>; like: OptionalsLike; argument: readonly Scalar[]; result: (Scalar | null)[] };
  entries: {
    symbol: ListValue<PairValue<TextValue, ScalarValue>>;
    like: EntriesLike;
    argument: Readonly<Record<string, Scalar>>;
    result: Record<string, Scalar>;
  };
  scored: { symbol: ListValue<PairValue<TextValue, IntegerValue>>; like: ScoredLike; argument: never; result: [string, Integer][] };
  ranked: { symbol: ListValue<PairValue<TextValue, NumberValue>>; like: RankedLike; argument: never; result: [string, number][] };
  ranked_item: {
    symbol: OptionalValue<PairValue<TextValue, NumberValue>>;
    like: RankedItemLike;
    argument: never;
    result: [string, number] | null;
  };
}

export type SymbolOf<K extends ValueKind> = Kinds[K]['symbol'];
/** The symbol of a result: `scalars` may lack items there. */
export type AnswerOf<K extends ValueKind> = K extends 'scalars' ? ListValue<OptionalValue<ScalarValue>> : SymbolOf<K>;
export type LikeOfKind<K extends ValueKind> = Kinds[K]['like'];
export type ArgumentOf<K extends ValueKind> = Kinds[K]['argument'];
export type ResultOf<K extends ValueKind> = Kinds[K]['result'];

const SORTS_OF_KINDS: ReadonlyMap<string, Sort> = new Map<ValueKind, Sort>([
  ['boolean', SORTS.boolean],
  ['integer', SORTS.integer],
  ['number', SORTS.number],
  ['text', SORTS.text],
  ['scalar', SORTS.scalar],
  ['optional', SORTS.optional],
  ['texts', listSort(SORTS.text)],
  ['scalars', listSort(SORTS.scalar)],
  ['entries', listSort(pairSort(SORTS.text, SORTS.scalar))],
  ['scored', listSort(pairSort(SORTS.text, SORTS.integer))],
  ['ranked', listSort(pairSort(SORTS.text, SORTS.number))],
  ['ranked_item', optionalSort(pairSort(SORTS.text, SORTS.number))],
]);

const OPTIONALS = listSort(SORTS.optional);

export const sortOfParameter = (kind: ParameterKind): Sort<Value> => SORTS_OF_KINDS.get(kind)!;
export const sortOfResult = (kind: ValueKind): Sort<Value> => (kind === 'scalars' ? OPTIONALS : SORTS_OF_KINDS.get(kind)!);

export const isParameterKind = (kind: ValueKind): kind is ParameterKind => SORTS_OF_KINDS.has(kind) && !/^(?:scored|ranked)/.test(kind);
export const isValueKind = (kind: unknown): kind is ValueKind => typeof kind === 'string' && SORTS_OF_KINDS.has(kind);

// ---- for definitions ----

const kinded =
  <K extends ValueKind>(kind: K) =>
  (meaning = ''): Kinded<K> =>
    new Kinded(kind, meaning);

export const boolean = kinded('boolean');
export const integer = kinded('integer');
export const number = kinded('number');
export const text = kinded('text');
export const scalar = kinded('scalar');
export const optional = kinded('optional');
export const texts = kinded('texts');
export const scalars = kinded('scalars');
export const entries = kinded('entries');
export const scored = kinded('scored');
export const ranked = kinded('ranked');
export const rankedItem = kinded('ranked_item');
