// Shape: what a value field holds. `shape.list(shape.record({ who: shape.text, price: shape.integer }))`

import type { Json } from './expression.ts';
import { listSort, recordSort, type ListValue, type RecordValue } from './lists.ts';
import { checkName, membersOf } from './names.ts';
import { invalid } from './problem.ts';
import { coerce, type Sort, type Value } from './value.ts';
import {
  optionalSort,
  SORTS,
  type BooleanLike,
  type BooleanValue,
  type IntegerLike,
  type IntegerValue,
  type NumberLike,
  type NumberValue,
  type OptionalValue,
  type ScalarLike,
  type ScalarValue,
  type TextLike,
  type TextValue,
} from './values.ts';

const DEPTH_MAX = 8;
const MEMBERS_MAX = 32;

/** `V`: a value of the shape, in functions. `Like`: what is taken where one is wanted. */
export class Shape<out V extends Value = Value, out Like = unknown> {
  readonly json: Json;
  readonly sort: Sort<V>;
  readonly depth: number;
  /** never set: it carries the type */
  declare readonly like: Like;

  constructor(json: Json, sort: Sort<V>, parts: readonly Shape[] = []) {
    this.json = json;
    this.sort = sort;
    this.depth = 1 + Math.max(0, ...parts.map(({ depth }) => depth));
    if (this.depth > DEPTH_MAX + 1) throw invalid(`a shape is nested deeper than ${DEPTH_MAX}`);
  }

  /** A value of the shape, where one of JavaScript is not known to be one. */
  of(value: this['like']): V {
    return this.sort.wrap(coerce(value, this.sort));
  }
}

type Members = Readonly<Record<string, Shape>>;
type ValueOf<S extends Shape> = S extends Shape<infer V> ? V : never;
type LikeOfShape<S extends Shape> = S['like'] | ValueOf<S>;
type LikeOfMembers<M extends Members> = { readonly [Name in keyof M]: LikeOfShape<M[Name]> };

/** A record in functions: its members, and `with` for one with other members. */
export type RecordOf<M extends Members> = RecordValue & { readonly [Name in keyof M]: ValueOf<M[Name]> } & {
  with(members: Partial<LikeOfMembers<M>>): RecordOf<M>;
};

const TAKEN = ['with', 'toJSON'];

function shapeOf(given: unknown): Shape {
  if (given instanceof Shape) return given;
  throw invalid('a shape is wanted, such as shape.integer or shape.list(shape.text)');
}

export const shape = {
  boolean: new Shape<BooleanValue, BooleanLike>('boolean', SORTS.boolean),
  /** of 64 bits */
  integer: new Shape<IntegerValue, IntegerLike>('integer', SORTS.integer),
  number: new Shape<NumberValue, NumberLike>('number', SORTS.number),
  text: new Shape<TextValue, TextLike>('text', SORTS.text),
  scalar: new Shape<ScalarValue, ScalarLike>('scalar', SORTS.scalar),

  /** A value of that shape, or nothing (null). */
  maybe<S extends Shape>(of: S): Shape<OptionalValue<ValueOf<S>>, LikeOfShape<S> | null> {
    const { json, sort } = shapeOf(of);
    return new Shape(['maybe', json], optionalSort(sort as Sort<ValueOf<S>>), [of]);
  },

  list<S extends Shape>(of: S): Shape<ListValue<ValueOf<S>>, readonly LikeOfShape<S>[] | ListValue<ValueOf<S>>> {
    const { json, sort } = shapeOf(of);
    if (sort.is === 'optional') throw invalid('items of a list are there: a list of maybe is none');
    return new Shape(['list', json], listSort(sort as Sort<ValueOf<S>>), [of]);
  },

  /** Members with names, in order. */
  record<M extends Members>(members: M): Shape<RecordOf<M>, LikeOfMembers<M>> {
    const named = membersOf(members, 'members of a record', MEMBERS_MAX).map(([name, of]) => ({ name, of: shapeOf(of) }));
    if (named.length === 0) throw invalid('a record has members');
    for (const { name } of named) {
      checkName(name, 'a member');
      if (TAKEN.includes(name)) throw invalid(`a member is called ${name}, which means something else for records`);
    }
    const sort = recordSort(
      named.map(({ name }) => name),
      named.map(({ of }) => of.sort),
    );
    return new Shape(
      ['record', ...named.map(({ name, of }) => [name, of.json])],
      sort as unknown as Sort<RecordOf<M>>,
      named.map(({ of }) => of),
    );
  },
};
