// The errors that an attempt itself raises. All others come from a shard or a session.

import { ClaretError, stacklessError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { WireError } from '../wire/wire-error.ts';
import type { OperationSpec } from '../values/operation-spec.ts';

/** The error of operations that are under way when a body throws. No caller sees it. */
export const bodyFailed = new ClaretError({ code: codes.transactionEnded, message: 'The transaction was aborted by its body' });

/** Appears in histories only, since such an attempt has issued nothing. */
export const alreadyCommitted = stacklessError({ code: 'already_committed', message: 'The transaction has committed before' });

/** Nothing can be logged at the shard. What broke a chain there need not concern each of its members: one that observes by locks needs no log. */
export const isOfLog = ({ code }: ClaretError): boolean => code === codes.diskFull || code === codes.logUnavailable;

export const sessionGone = (): ClaretError =>
  stacklessError({
    code: codes.sessionLost,
    message: 'The session was lost before the shard had the outcome',
    retryable: true,
    cause: codes.sessionLost,
  });

/** The body has thrown on results that may not be those of the moment. */
export const warrantyOver = (): ClaretError =>
  stacklessError({
    code: codes.warrantyOver,
    message: 'a warranty on which the attempt relied is over',
    retryable: true,
    cause: codes.warrantyOver,
  });

/** The body has thrown on what it had guessed. */
export const guessUnsure = (): ClaretError =>
  stacklessError({
    code: codes.warrantyChanged,
    message: 'what the body has guessed may be another result now',
    retryable: true,
    cause: codes.warrantyChanged,
  });

export const tooLate = (): ClaretError =>
  stacklessError({ code: codes.expired, message: 'the time allowed is over', retryable: true, cause: 'timeout' });

/**
 * @param details `lostShard`: a shard could not be reached; `retryable`: if the transaction is sent again with its id, it commits once
 */
export const outcomeUnknown = (
  why: string,
  { lostShard, retryable, retries }: { lostShard: boolean; retryable: boolean; retries: number },
): ClaretError =>
  new ClaretError({
    code: codes.outcomeUnknown,
    message: `The answer to the commit was lost, and ${why}`,
    cause: lostShard ? codes.shardUnavailable : 'timeout',
    commitState: 'unknown',
    retryable,
    retries,
  });

/** @param lost the operation whose result is missing */
export const resultLost = (lost: { key: string; spec: { name: string } } | undefined, retries: number): ClaretError =>
  new ClaretError({
    code: codes.resultLost,
    key: lost?.key,
    operation: lost?.spec.name,
    message: 'The transaction is committed, but a result was lost with the session',
    commitState: 'applied',
    retries,
  });

/** The shard is so far behind that the attempt would only be refused when its time is over. */
export const shardBehind = (shard: number, behindMs: number, spec: OperationSpec, key: string): ClaretError =>
  stacklessError({
    code: codes.overloaded,
    message: `shard ${shard} is ${Math.round(behindMs)} ms behind, which is more than the time left`,
    key,
    operation: spec.name,
    retryable: true,
  });

/** Without an operation: of a computation. */
export const attemptEnded = (spec?: OperationSpec, key?: string): ClaretError =>
  new ClaretError({
    code: codes.transactionEnded,
    message: spec === undefined ? 'A computation: the transaction has ended' : 'the transaction has ended',
    key,
    operation: spec?.name,
  });

/** A shard refuses what rests on warranties: a result has changed, their time is over, or a timestamp is too far ahead. */
export const endsReliance = (error: WireError): boolean =>
  error.code === codes.warrantyChanged || error.code === codes.warrantyOver || error.code === codes.clockSkew;

/** The error of an attempt that is to be tried again without warranties: what the shard says of it may be due to them. */
export function unwarranted(error: WireError): ClaretError {
  if (error.retryable && error.code !== codes.clockSkew) return stacklessError(error);
  return stacklessError({ ...error, code: codes.warrantyOver, cause: codes.warrantyOver, retryable: true });
}
