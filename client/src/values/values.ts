// Values: what arguments and results are made of. The kinds are the core's (server-core/src/adt/adt.h).

/** A 64-bit integer: a number if that is safe, else a bigint. */
export type Integer = number | bigint;
export type Scalar = string | number | bigint | boolean;

/** A value as the wire has it; null: absent. */
export type WireValue = Scalar | null | WireValue[];

export type Kind =
  | 'void'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'text'
  | 'scalar'
  | 'optional'
  | 'texts'
  | 'scalars'
  | 'entries'
  | 'scored'
  | 'ranked'
  | 'ranked_item';
