// The errors that computations raise. All others come from the transactions in which they run.

import { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import { Unkeepable } from '../values/json.ts';

export const impure = (name: string, why: string): ClaretError =>
  new ClaretError({ code: codes.impureComputation, message: `The computation ${name} ${why}` });

export const tooDeep = (name: string, why: string): ClaretError =>
  new ClaretError({ code: codes.computationTooDeep, message: `The computation ${name} ${why}` });

/** What a body is given in place of a result that no grant has. Its run is for nothing, so nobody else is told. */
export const notPromised = new ClaretError({ code: codes.warrantyOver, message: 'A result is not promised', retryable: true });

/** Runs what may throw `Unkeepable`, and throws `invalid_value` instead. `what`: the subject of the message. */
export function keepable<Result>(what: string, make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Unkeepable)) throw error;
    throw new ClaretError({ code: codes.invalidValue, message: `${what} ${error.message}` });
  }
}
