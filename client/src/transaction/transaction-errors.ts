// The errors that a transaction itself raises. All others come from its attempts.

import type { RunningAttempt } from '../attempt/running-attempt.ts';
import { ClaretError, errorLike } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';

export const expiredBeforeBegin = (): ClaretError =>
  new ClaretError({ code: codes.expired, message: 'the time allowed was over before it began', retryable: true });

export const unreadableAnswer = (retries: number): ClaretError =>
  new ClaretError({
    code: codes.resultLost,
    message: 'The transaction has committed before, with an answer that this client cannot read',
    commitState: 'applied',
    retries,
  });

export const fateUnknown = (retries: number): ClaretError =>
  new ClaretError({
    code: codes.outcomeUnknown,
    message: 'The time allowed is over, and how the transaction ended is not known',
    commitState: 'unknown',
    retries,
  });

export const clientClosed = (): ClaretError => new ClaretError({ code: codes.clientClosed, message: 'The client was closed' });

/**
 * The error of an attempt whose time is over. It names the obstacle as far as that is known.
 * @param denied why the attempt before it failed, if it was denied a lock
 */
export function timeIsOver({ parts }: RunningAttempt, denied: ClaretError | null): ClaretError {
  const message = 'the time allowed is over';
  const missing = parts.find((part) => !part.session.live);
  const deniedNow = parts.find((part) => part.denied !== null)?.denied;
  if (missing === undefined && deniedNow != null) return new ClaretError({ ...deniedNow, message, retryable: true });
  // An attempt without any answer yet knows less than the one before it.
  if (missing === undefined && denied !== null) return errorLike(denied, { message });
  const unanswered = (missing ?? parts.find((part) => part.unanswered))?.unanswered;
  const code = missing === undefined ? codes.expired : codes.shardUnavailable;
  return new ClaretError({ code, message, key: unanswered?.key, operation: unanswered?.spec.name, retryable: true });
}
