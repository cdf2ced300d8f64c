// SteeredOptions: those of a transaction whose way is not the client's to choose. They are for experiments and tests, and for a gateway that passes
// single operations on; no application needs them, so the public options do not have them.

import type { Way } from '../ways/epoch-choice.ts';
import type { TransactionOptions } from './transaction-options.ts';

export interface SteeredOptions extends TransactionOptions {
  /**
   * Operations that answer nothing are sent when they are awaited, rather than with the commit: a `catch` around one then sees its error, and it
   * locks its record from then on. Off by default.
   */
  now?: boolean;
  /** false: the body never runs on a forecast, so that it runs once in each attempt */
  forecast?: boolean;
  /** whether a list goes by locks or in an epoch; `auto` by default. A list with an id goes by locks */
  way?: Way;
}

/** The options as a transaction takes them. */
export const steered = (options: SteeredOptions): TransactionOptions => options;
