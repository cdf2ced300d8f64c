// What an action answers: its result, or why it was refused. A refusal is a value, never an exception: nothing has
// happened then. What is thrown is a ClaretError: the store could not do it.
import type { ErrorCode } from '../api.ts';

export type Outcome<Result, Code extends ErrorCode> = ({ refused: null } & Result) | { refused: Code };

export const refuse = <Code extends ErrorCode>(code: Code): { refused: Code } => ({ refused: code });
