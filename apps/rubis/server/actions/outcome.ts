// The result of an action, or the reason why it was refused. A refusal is a value, not an exception, and means that nothing has changed. An
// exception is a ClaretError: the store could not do it.
import type { ErrorCode } from '../api.ts';

export type Refused<Code extends ErrorCode = ErrorCode> = { refused: Code };
export type Accepted<Result> = { refused: null } & Result;
export type Outcome<Result, Code extends ErrorCode> = Accepted<Result> | Refused<Code>;

export const refuse = <Code extends ErrorCode>(code: Code): Refused<Code> => ({ refused: code });
