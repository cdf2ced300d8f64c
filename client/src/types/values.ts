// The simple values that functions of a type compute with: symbols for arguments, answers and what fields hold. Their methods are those of their
// kind. A value of JavaScript is taken wherever a symbolic one is. Lists, pairs and records are in lists.ts.

import { Expression } from './expression.ts';
import { invalid } from './problem.ts';
import { coerce, expressionOf, sortOf, Value, type Sort } from './value.ts';

export type BooleanLike = boolean | BooleanValue;
export type IntegerLike = number | bigint | IntegerValue;
export type NumberLike = number | NumberValue | IntegerValue;
export type TextLike = string | TextValue;
export type ScalarLike = string | number | bigint | boolean | TextValue | IntegerValue | NumberValue | BooleanValue | ScalarValue;
export type OptionalLike = null | ScalarLike | OptionalValue<TextValue | IntegerValue | NumberValue | BooleanValue | ScalarValue>;

/** What is taken where a value of that kind is wanted. */
export type LikeOf<V extends Value> = V extends BooleanValue
  ? BooleanLike
  : V extends IntegerValue
    ? IntegerLike
    : V extends NumberValue
      ? NumberLike
      : V extends TextValue
        ? TextLike
        : V extends ScalarValue
          ? ScalarLike
          : V;

const booleanOf = (head: string, ...parts: Expression[]): BooleanValue => new BooleanValue(Expression.of([head], parts));

/** Two values of any kinds are equal, or not. An integer and a number are compared as numbers. */
abstract class Comparable<Like> extends Value {
  is(other: Like | null): BooleanValue {
    return booleanOf('=', expressionOf(this), coerce(other, other instanceof Value ? sortOf(other) : SORTS.optional));
  }

  isNot(other: Like | null): BooleanValue {
    return this.is(other).not();
  }
}

export class BooleanValue extends Comparable<OptionalLike> {
  constructor(expression: Expression) {
    super(SORTS.boolean, expression);
  }

  and(other: BooleanLike): BooleanValue {
    return booleanOf('and', expressionOf(this), coerce(other, SORTS.boolean));
  }

  or(other: BooleanLike): BooleanValue {
    return booleanOf('or', expressionOf(this), coerce(other, SORTS.boolean));
  }

  not(): BooleanValue {
    return booleanOf('not', expressionOf(this));
  }

  /** In `require`: the operation is refused, with the code `<TypeName>.<code>`, unless this is true. */
  orRefuse(code: string, message: string): Requirement {
    return new Requirement(this, code, message);
  }
}

/** A condition without which an operation is refused. */
export class Requirement {
  readonly that: BooleanValue;
  readonly code: string;
  readonly message: string;

  constructor(that: BooleanValue, code: string, message: string) {
    this.that = that;
    this.code = code;
    this.message = message;
  }
}

/** What is ordered. */
abstract class Ordered<Like> extends Comparable<OptionalLike> {
  /** The expression of what this is compared with. */
  protected abstract other(other: Like): Expression;

  lessThan(other: Like): BooleanValue {
    return booleanOf('<', expressionOf(this), this.other(other));
  }

  atMost(other: Like): BooleanValue {
    return booleanOf('<=', expressionOf(this), this.other(other));
  }

  greaterThan(other: Like): BooleanValue {
    return booleanOf('<', this.other(other), expressionOf(this));
  }

  atLeast(other: Like): BooleanValue {
    return booleanOf('<=', this.other(other), expressionOf(this));
  }
}

/** Beside an integer, an integer or a number; beside a number, either. */
const operand = (other: NumberLike | bigint, beside: Sort): Expression =>
  coerce(other, other instanceof IntegerValue ? SORTS.integer : other instanceof NumberValue ? SORTS.number : beside);

/** A 64-bit integer. An operation whose result would leave 64 bits is refused (out_of_range), and so is a division by zero. */
export class IntegerValue extends Ordered<IntegerLike | NumberLike> {
  constructor(expression: Expression) {
    super(SORTS.integer, expression);
  }

  protected override other(other: IntegerLike | NumberLike): Expression {
    return operand(other, typeof other === 'number' && !Number.isInteger(other) ? SORTS.number : SORTS.integer);
  }

  plus(other: IntegerLike): IntegerValue;
  plus(other: NumberValue): NumberValue;
  plus(other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    return this.#with('+', other);
  }

  minus(other: IntegerLike): IntegerValue;
  minus(other: NumberValue): NumberValue;
  minus(other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    return this.#with('-', other);
  }

  times(other: IntegerLike): IntegerValue;
  times(other: NumberValue): NumberValue;
  times(other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    return this.#with('*', other);
  }

  /** The quotient of two integers is rounded towards zero. */
  dividedBy(other: IntegerLike): IntegerValue;
  dividedBy(other: NumberValue): NumberValue;
  dividedBy(other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    return this.#with('/', other);
  }

  modulo(other: IntegerLike): IntegerValue;
  modulo(other: NumberValue): NumberValue;
  modulo(other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    return this.#with('%', other);
  }

  /** The same value as a number with a fraction: `n.toNumber().times(0.5)`. */
  toNumber(): NumberValue {
    return new NumberValue(coerce(this, SORTS.number));
  }

  #with(head: string, other: IntegerLike | NumberValue): IntegerValue | NumberValue {
    const expression = Expression.of([head], [expressionOf(this), operand(other, SORTS.integer)]);
    return other instanceof NumberValue ? new NumberValue(expression) : new IntegerValue(expression);
  }
}

/** A number with a fraction. An operation whose result is not finite is refused. */
export class NumberValue extends Ordered<NumberLike> {
  constructor(expression: Expression) {
    super(SORTS.number, expression);
  }

  protected override other(other: NumberLike): Expression {
    return operand(other, SORTS.number);
  }

  plus(other: NumberLike): NumberValue {
    return this.#with('+', other);
  }

  minus(other: NumberLike): NumberValue {
    return this.#with('-', other);
  }

  times(other: NumberLike): NumberValue {
    return this.#with('*', other);
  }

  dividedBy(other: NumberLike): NumberValue {
    return this.#with('/', other);
  }

  modulo(other: NumberLike): NumberValue {
    return this.#with('%', other);
  }

  /** The greatest integer that is not above it. */
  floor(): IntegerValue {
    return new IntegerValue(Expression.of(['floor'], [expressionOf(this)]));
  }

  #with(head: string, other: NumberLike): NumberValue {
    return new NumberValue(Expression.of([head], [expressionOf(this), operand(other, SORTS.number)]));
  }
}

export class TextValue extends Ordered<TextLike> {
  constructor(expression: Expression) {
    super(SORTS.text, expression);
  }

  protected override other(other: TextLike): Expression {
    return coerce(other, SORTS.text);
  }

  length(): IntegerValue {
    return new IntegerValue(Expression.of(['length'], [expressionOf(this)]));
  }
}

/** A text, integer, number or boolean. To compute with it, say what it is: if it is something else, the operation is refused. */
export class ScalarValue extends Comparable<OptionalLike> {
  constructor(expression: Expression) {
    super(SORTS.scalar, expression);
  }

  asInteger(): IntegerValue {
    return new IntegerValue(expressionOf(this));
  }

  /** Also of an integer. */
  asNumber(): NumberValue {
    return new IntegerValue(expressionOf(this)).toNumber();
  }

  asText(): TextValue {
    return new TextValue(expressionOf(this));
  }

  asBoolean(): BooleanValue {
    return new BooleanValue(expressionOf(this));
  }
}

/** A value, or nothing. */
export class OptionalValue<out V extends Value> extends Comparable<OptionalLike> {
  readonly #of: Sort<V>;

  constructor(of: Sort<V>, expression: Expression) {
    super(optionalSort(of), expression);
    this.#of = of;
  }

  isAbsent(): BooleanValue {
    return booleanOf('absent', expressionOf(this));
  }

  /** The value; if there is none, the other one. */
  orElse(other: LikeOf<V>): V {
    return this.#of.wrap(Expression.of(['or_else'], [expressionOf(this), coerce(other, this.#of)]));
  }

  /** The value, which has to be there: where it is not, what uses it is refused. */
  present(): V {
    return this.#of.wrap(expressionOf(this));
  }
}

// ---- sorts ----

const simple = <V extends Value>(is: Sort['is'], Of: new (expression: Expression) => V): Sort<V> => ({
  is,
  of: [],
  wrap: (expression) => new Of(expression),
});

export const optionalSort = <V extends Value>(of: Sort<V>): Sort<OptionalValue<V>> => ({
  is: 'optional',
  of: [of],
  wrap: (expression) => new OptionalValue(of, expression),
});

const scalarSort = simple('scalar', ScalarValue);

export const SORTS = {
  boolean: simple('boolean', BooleanValue),
  integer: simple('integer', IntegerValue),
  number: simple('number', NumberValue),
  text: simple('text', TextValue),
  scalar: scalarSort,
  optional: optionalSort(scalarSort),
};

/** The sort of a symbolic value, or of one of JavaScript that stands by itself. */
export function sortOfAny(given: unknown): Sort {
  if (given instanceof Value) return sortOf(given);
  switch (typeof given) {
    case 'boolean':
      return SORTS.boolean;
    case 'string':
      return SORTS.text;
    case 'bigint':
      return SORTS.integer;
    case 'number':
      return Number.isInteger(given) ? SORTS.integer : SORTS.number;
    default:
      if (given === null) return SORTS.optional;
      throw invalid('a boolean, number, text or symbolic value is wanted');
  }
}
