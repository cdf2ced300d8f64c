// The errors that a transaction itself raises. All others come from its attempts.

import type { RunningAttempt } from '../attempt/running-attempt.ts';
import { ClaretError, errorLike } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';

export const expiredBeforeBegin = (): ClaretError =>
  new ClaretError({ code: codes.expired, message: 'the time allowed was over before it began', retryable: true });

/**
 * Its time was over while it was queued.
 * @param met what another transaction of the client met meanwhile; null: none met anything
 */
export function neverBegan(label: string, running: number, met: ClaretError | null): ClaretError {
  const why = `${label || 'A transaction'} did not begin in time behind ${running} others of its client`;
  if (met !== null)
    return errorLike(met, { code: codes.gaveUp, message: `${why}, one of which waited here`, cause: 'timeout', retries: 0 });
  return new ClaretError({ code: codes.gaveUp, message: why, retryable: true, cause: 'timeout' });
}

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

/** The error, which names the first operation without an answer, unless it names another one. */
export function withUnanswered(error: ClaretError, attempt: RunningAttempt | null): ClaretError {
  const unanswered = attempt?.parts.find((part) => part.unanswered)?.unanswered;
  if (error.key !== undefined || unanswered === undefined) return error;
  return errorLike(error, { key: unanswered.key, operation: unanswered.spec.name });
}

/** The error of an attempt whose time is over. It names the obstacle as far as the attempt has learned it. */
export function timeIsOver({ parts }: RunningAttempt): ClaretError {
  const message = 'the time allowed is over';
  const missing = parts.find((part) => !part.session.live);
  const deniedNow = parts.find((part) => part.denied !== null)?.denied;
  if (missing === undefined && deniedNow != null) return new ClaretError({ ...deniedNow, message, retryable: true });
  const unanswered = (missing ?? parts.find((part) => part.unanswered))?.unanswered;
  const code = missing === undefined ? codes.expired : codes.shardUnavailable;
  return new ClaretError({ code, message, key: unanswered?.key, operation: unanswered?.spec.name, retryable: true });
}
