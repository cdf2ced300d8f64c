// The public face of @claret/client/types: data types of an application's own (docs/types-of-your-own.md).

export { DefinedType, defineType } from './define-type.ts';
export type { Definition } from './definition.ts';
export { DefinitionError } from './problem.ts';
export { each, forEach, value, type Change, type EachField, type FieldType, type ValueField } from './field-type.ts';
export * from './generated/fields.ts';
export { choose, concat, greatest, isAbsent, item, least, length, listOf, power } from './helpers.ts';
export {
  boolean,
  entries,
  integer,
  number,
  optional,
  ranked,
  rankedItem,
  scalar,
  scalars,
  scored,
  text,
  texts,
  type Kinded,
  type ParameterKind,
  type ValueKind,
} from './kinds.ts';
export {
  pairOf,
  range,
  using,
  type ListValue,
  type PairValue,
  type RecordValue,
  type EntriesLike,
  type ScalarsLike,
  type TextsLike,
} from './lists.ts';
export { shape, type RecordOf, type Shape } from './shape.ts';
export type { OperationsOf, OperationSource, TypeSource } from './source.ts';
export type {
  BooleanLike,
  BooleanValue,
  IntegerLike,
  IntegerValue,
  NumberLike,
  NumberValue,
  OptionalLike,
  OptionalValue,
  Requirement,
  ScalarLike,
  ScalarValue,
  TextLike,
  TextValue,
} from './values.ts';
