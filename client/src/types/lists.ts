// Lists, pairs and records of values, and functions over the items of a list. A function is called once, with a symbol for the item: what it returns is
// computed by the shard for each item.

import { Expression } from './expression.ts';
import { invalid } from './problem.ts';
import { Trace } from './trace.ts';
import { coerce, expressionOf, sortOf, Value, type Sort } from './value.ts';
import {
  BooleanValue,
  IntegerValue,
  OptionalValue,
  SORTS,
  sortOfAny,
  type BooleanLike,
  type IntegerLike,
  type LikeOf,
  type NumberLike,
  type NumberValue,
  type OptionalLike,
  type ScalarLike,
  type ScalarValue,
  type TextLike,
  type TextValue,
} from './values.ts';

export type TextsLike = readonly TextLike[] | ListValue<TextValue>;
export type ScalarsLike = readonly ScalarLike[] | ListValue<TextValue | IntegerValue | NumberValue | BooleanValue | ScalarValue>;
export type OptionalsLike = readonly OptionalLike[] | ScalarsLike | ListValue<OptionalValue<ScalarValue>>;
export type EntriesLike = readonly (readonly [TextLike, ScalarLike])[] | ListValue<PairValue<TextValue, ScalarValue>>;
export type ScoredLike = readonly (readonly [TextLike, IntegerLike])[] | ListValue<PairValue<TextValue, IntegerValue>>;
export type RankedLike = readonly (readonly [TextLike, NumberLike])[] | ListValue<PairValue<TextValue, NumberValue>>;
export type RankedItemLike = null | readonly [TextLike, NumberLike] | OptionalValue<PairValue<TextValue, NumberValue>>;

export class ListValue<out V extends Value> extends Value {
  readonly #of: Sort<V>;

  constructor(of: Sort<V>, expression: Expression) {
    super(listSort(of), expression);
    this.#of = of;
  }

  /** The item at an index, from 0; nothing if there is none. */
  item(index: IntegerLike): ItemOf<V> {
    return this.#itemOf(Expression.of(['item'], [expressionOf(this), coerce(index, SORTS.integer)]));
  }

  length(): IntegerValue {
    return new IntegerValue(Expression.of(['length'], [expressionOf(this)]));
  }

  /** What the function returns for each item. */
  map<Result extends Value>(of: (item: V) => Result): ListValue<Result> {
    let sort: Sort<Result> | undefined;
    const expression = this.#over('map', (item) => {
      const result: unknown = of(item);
      if (!(result instanceof Value)) throw invalid('map takes a function that returns a symbolic value');
      sort = sortOf(result) as Sort<Result>;
      return expressionOf(result);
    });
    return new ListValue(sort!, expression);
  }

  /** The items for which it is true. */
  filter(wanted: (item: V) => BooleanLike): ListValue<V> {
    return new ListValue(
      this.#of,
      this.#over('filter', (item) => coerce(wanted(item), SORTS.boolean)),
    );
  }

  /** The first item for which it is true; nothing if there is none. What follows is not looked at. */
  find(wanted: (item: V) => BooleanLike): ItemOf<V> {
    return this.#itemOf(this.#over('find', (item) => coerce(wanted(item), SORTS.boolean)));
  }

  some(wanted: (item: V) => BooleanLike): BooleanValue {
    return this.filter(wanted).length().greaterThan(0);
  }

  every(wanted: (item: V) => BooleanLike): BooleanValue {
    return this.filter((item) => new BooleanValue(coerce(wanted(item), SORTS.boolean)).not())
      .length()
      .is(0);
  }

  /** In the order of what the function returns: numbers, or texts by their UTF-8 bytes. Items with the same stay in their order. */
  sortBy(key: (item: V) => IntegerValue | NumberValue | TextValue): ListValue<V> {
    const expression = this.#over('sort', (item) => {
      const by: unknown = key(item);
      const sort = sortOfAny(by);
      if (sort.is !== 'integer' && sort.is !== 'number' && sort.is !== 'text') throw invalid('items are sorted by numbers or by texts');
      return coerce(by, sort);
    });
    return new ListValue(this.#of, expression);
  }

  /** Begins with a value, and replaces it for each item by what the function returns. */
  fold(initial: IntegerLike, next: (gathered: IntegerValue, item: V) => IntegerLike): IntegerValue;
  fold(initial: TextLike, next: (gathered: TextValue, item: V) => TextLike): TextValue;
  fold(initial: BooleanLike, next: (gathered: BooleanValue, item: V) => BooleanLike): BooleanValue;
  fold<Gathered extends Value>(initial: Gathered, next: (gathered: Gathered, item: V) => LikeOf<Gathered>): Gathered;
  fold(initial: unknown, next: (gathered: never, item: V) => unknown): Value {
    return this.#fold(initial, sortOfAny(initial), next as (gathered: Value, item: V) => unknown);
  }

  /** 0 if there is no item. */
  sum<Result extends IntegerValue | NumberValue>(of: (item: V) => Result): Result {
    const mapped = this.map(of);
    const item = mapped.#of;
    return mapped.#fold(0, item, (sum, each) => (sum as NumberValue).plus(each as NumberValue)) as Result;
  }

  #fold(initial: unknown, sort: Sort, next: (gathered: Value, item: V) => unknown): Value {
    const trace = Trace.needed();
    const expression = trace.bind((gathered, symbol) =>
      trace.bind((item, itemSymbol) => {
        const before = sort.wrap(Expression.local(symbol, trace, gathered));
        const each = this.#of.wrap(Expression.local(itemSymbol, trace, item));
        const after = coerce(next(before, each), sort);
        const parts = [expressionOf(this), coerce(initial, sort), after];
        return Expression.of(['fold', gathered.number, item.number], parts, [gathered, item]);
      }),
    );
    return sort.wrap(expression);
  }

  /** The items at from <= index < to; without `to`, all from there on. */
  slice(from: IntegerLike, to?: IntegerLike): ListValue<V> {
    const end = to === undefined ? this.length() : to;
    const places = [from, end].map((place) => coerce(place, SORTS.integer));
    return new ListValue(this.#of, Expression.of(['slice'], [expressionOf(this), ...places]));
  }

  append(item: LikeOf<V>): ListValue<V> {
    return this.concat([item]);
  }

  concat(other: ListValue<V> | readonly LikeOf<V>[]): ListValue<V> {
    return new ListValue(this.#of, Expression.of(['join'], [expressionOf(this), coerce(other, listSort(this.#of))]));
  }

  /** With another item at that index. The operation is refused (out_of_range) if there is none. */
  replace(index: IntegerLike, item: LikeOf<V>): ListValue<V> {
    const parts = [expressionOf(this), coerce(index, SORTS.integer), coerce(item, this.#of)];
    return new ListValue(this.#of, Expression.of(['replace'], parts));
  }

  reverse(): ListValue<V> {
    return new ListValue(this.#of, Expression.of(['reverse'], [expressionOf(this)]));
  }

  /** Nothing, as an item, and no item are one. */
  #itemOf(expression: Expression): ItemOf<V> {
    const wrapped = (this.#of as Sort).is === 'optional' ? this.#of.wrap(expression) : new OptionalValue(this.#of, expression);
    return wrapped as unknown as ItemOf<V>;
  }

  /** `body` gets an item of the list. */
  #over(head: string, body: (item: V) => Expression): Expression {
    const trace = Trace.needed();
    return trace.bind((local, symbol) => {
      const item = this.#of.wrap(Expression.local(symbol, trace, local));
      return Expression.of([head, local.number], [expressionOf(this), body(item)], [local]);
    });
  }
}

/** An item of a list of such values. */
export type ItemOf<V extends Value> = V extends OptionalValue<Value> ? V : OptionalValue<V>;

/** A field with its value, or an item with its score. */
export class PairValue<out First extends Value, out Second extends Value> extends Value {
  readonly #first: Sort<First>;
  readonly #second: Sort<Second>;

  constructor(first: Sort<First>, second: Sort<Second>, expression: Expression) {
    super(pairSort(first, second), expression);
    this.#first = first;
    this.#second = second;
  }

  first(): First {
    return this.#first.wrap(memberOf(this, 0));
  }

  second(): Second {
    return this.#second.wrap(memberOf(this, 1));
  }
}

/** For results that are lists of pairs. */
export const pairOf = <First extends Value, Second extends Value>(first: First, second: Second): PairValue<First, Second> =>
  new PairValue(
    sortOf(first) as Sort<First>,
    sortOf(second) as Sort<Second>,
    Expression.of(['list'], [expressionOf(first), expressionOf(second)]),
  );

const memberOf = (of: Value, index: number): Expression => Expression.of(['item'], [expressionOf(of), Expression.literal(index)]);

/** Its members are its properties. */
export class RecordValue extends Value {
  constructor(sort: Sort, expression: Expression) {
    super(sort, expression);
    sort.names!.forEach((name, i) => Object.defineProperty(this, name, { get: () => sort.of[i]!.wrap(memberOf(this, i)) }));
  }

  /** The record with other values of some members. */
  with(members: Readonly<Record<string, unknown>>): this {
    const { names = [], of, wrap } = sortOf(this);
    const changed = Object.entries(members).reduce((record, [name, value]) => {
      const place = names.indexOf(name);
      if (place < 0) throw invalid(`a record of ${names.join(', ')} has no member ${name}`);
      return Expression.of(['replace'], [record, Expression.literal(place), coerce(value, of[place]!)]);
    }, expressionOf(this));
    return wrap(changed) as this;
  }
}

/** The integers from 0 to below n. */
export const range = (n: IntegerLike): ListValue<IntegerValue> =>
  new ListValue(SORTS.integer, Expression.of(['range'], [coerce(n, SORTS.integer)]));

/** Computes a value once, for a function that uses it several times. */
export function using<V extends Value, Result extends Value>(value: V, of: (value: V) => Result): Result {
  const trace = Trace.needed();
  return trace.bind((local, symbol) => {
    const result: unknown = of(sortOf(value).wrap(Expression.local(symbol, trace, local)) as V);
    if (!(result instanceof Value)) throw invalid('using takes a function that returns a symbolic value');
    const expression = Expression.of(['let', local.number], [expressionOf(value), expressionOf(result)], [local]);
    return sortOf(result).wrap(expression) as Result;
  });
}

/** The sort of a list's items. */
export const itemSort = <V extends Value>(list: ListValue<V>): Sort<V> => sortOf(list).of[0]! as Sort<V>;

// ---- sorts ----

export const listSort = <V extends Value>(of: Sort<V>): Sort<ListValue<V>> => ({
  is: 'list',
  of: [of],
  wrap: (expression) => new ListValue(of, expression),
});

export const pairSort = <First extends Value, Second extends Value>(
  first: Sort<First>,
  second: Sort<Second>,
): Sort<PairValue<First, Second>> => ({
  is: 'pair',
  of: [first, second],
  wrap: (expression) => new PairValue(first, second, expression),
});

export function recordSort(names: readonly string[], of: readonly Sort[]): Sort<RecordValue> {
  const sort: Sort<RecordValue> = { is: 'record', of, names, wrap: (expression) => new RecordValue(sort, expression) };
  return sort;
}
