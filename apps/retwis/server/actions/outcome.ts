// The result of an action, or the reason why it was refused. A refusal is a value, not an exception, and means that nothing has changed. An
// exception is a ClaretError: the store could not do it.
import type { ErrorCode } from '../api.ts';

export type Outcome<Result, Code extends ErrorCode> = ({ refused: null } & Result) | { refused: Code };

export const refuse = <Code extends ErrorCode>(code: Code): { refused: Code } => ({ refused: code });
