// The public face of @claret/client/types: data types of an application's own (docs/types-of-your-own.md).

export { DefinedType, defineType } from './define-type.ts';
export type { Definition } from './definition.ts';
export { DefinitionError } from './problem.ts';
export { each, type Change, type EachField, type FieldType } from './field-type.ts';
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
export type { OperationsOf, OperationSource, TypeSource } from './source.ts';
export type {
  BooleanLike,
  BooleanValue,
  EntriesLike,
  IntegerLike,
  IntegerValue,
  ListValue,
  NumberLike,
  NumberValue,
  OptionalLike,
  OptionalValue,
  PairValue,
  Requirement,
  ScalarLike,
  ScalarsLike,
  ScalarValue,
  TextLike,
  TextsLike,
  TextValue,
} from './values.ts';
