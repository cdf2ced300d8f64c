// The conditions of concurrency control that hold for a whole cluster and can be switched while it runs.
import { count, flag, object, oneOf, optional, type TypeOf } from './schema.ts';

export const LOCKS = ['none', 'rw', 'abstract'] as const;
export const COMBINING = ['auto', 'on', 'off'] as const;
export const NATIVES = ['pass', 'wait'] as const;
export const WARRANTIES = ['off', 'auto', 'on'] as const;
export const EPOCHS = ['off', 'auto', 'on'] as const;
export const EPOCH_MS_MAX = 1_000;

export const conditions = object({
  locks: oneOf(LOCKS, 'none: no transactions, results may be wrong; rw: reader/writer locks; abstract: commuting locks'),
  phasing: flag('true: waiting operations queue by mode; false: operations that conflict are refused and tried again'),
  combining: oneOf(
    COMBINING,
    'whether clients forecast transactions and send them whole, to be executed ahead of their commits; auto: while their records are hot',
  ),
  // Messages of older versions lack it.
  natives: optional(
    oneOf(
      NATIVES,
      'pass, or absent: a native that changes a record ends the attempts in its way that have not voted; wait: it waits for them',
    ),
  ),
  // Likewise.
  warranties: optional(
    oneOf(
      WARRANTIES,
      'whether shards promise results, so that clients answer from memory; off, or absent: never; auto: where it is likely to be worth ' +
        'while; on: wherever the rules allow',
    ),
  ),
  // Likewise.
  epochs: optional(
    oneOf(
      EPOCHS,
      'whether lists of operations run in epochs; off: by locks; auto, or absent: where the client has measured that they are faster so; on: ' +
        'all lists of several operations',
    ),
  ),
  // Likewise.
  epoch_ms: optional(count('how often epochs are closed; 0, or absent: as often as is worth while', { maximum: EPOCH_MS_MAX })),
});

export type Conditions = TypeOf<typeof conditions>;
