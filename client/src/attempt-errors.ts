// The errors that an attempt itself comes to; all others are a shard's or a session's.

import { ClaretError, codes, stacklessError } from './errors.ts';

/** Seen in histories alone: nothing of such an attempt was issued. */
export const alreadyCommitted = stacklessError({ code: 'already_committed', message: 'The transaction has committed before' });

export const sessionGone = (): ClaretError =>
  stacklessError({
    code: codes.sessionLost,
    message: 'The session was lost before the shard had the outcome',
    retryable: true,
    cause: codes.sessionLost,
  });

export const tooLate = (): ClaretError =>
  stacklessError({ code: codes.expired, message: 'the time allowed is over', retryable: true, cause: 'timeout' });

/** `lostShard`: a shard could not be reached. `retryable`: sent again with its id, it commits once. */
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

/** It is committed, but a result was lost: `lost` is the operation without one. */
export const resultLost = (lost: { key: string; spec: { name: string } } | undefined, retries: number): ClaretError =>
  new ClaretError({
    code: codes.resultLost,
    key: lost?.key,
    operation: lost?.spec.name,
    message: 'The transaction is committed, but a result was lost with the session',
    commitState: 'applied',
    retries,
  });
