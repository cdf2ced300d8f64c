// What an action answers: its result, or why it was refused. A refusal is a value, never an exception: nothing has
// happened then. What is thrown is a ClaretError: the store could not do it.

export type RefusalCode =
  | 'username_taken'
  | 'unknown_user'
  | 'unknown_post'
  | 'own_account'
  | 'already_following'
  | 'not_following'
  | 'already_reposted'
  | 'not_reposted';

export type Outcome<Result, Code extends RefusalCode> = ({ refused: null } & Result) | { refused: Code };

export const refuse = <Code extends RefusalCode>(code: Code): { refused: Code } => ({ refused: code });
