// The conditions of concurrency control that hold for a whole cluster and can be switched while it runs.
import { flag, object, oneOf, type TypeOf } from './schema.ts';

export const LOCKS = ['none', 'rw', 'abstract'] as const;
export const COMBINING = ['auto', 'on', 'off'] as const;

export const conditions = object({
  locks: oneOf(LOCKS, 'none: no transactions, results may be wrong; rw: reader/writer locks; abstract: commuting locks'),
  phasing: flag('true: waiting operations queue by mode; false: operations that conflict are refused and tried again'),
  combining: oneOf(COMBINING, 'whether clients share locks among their own transactions; auto: on hot records'),
});

export type Conditions = TypeOf<typeof conditions>;
