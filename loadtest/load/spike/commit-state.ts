// The effects of a failed transaction, as its error tells them.

import { ClaretError, type CommitState } from '@claret/client';

export function commitStateOf(error: unknown): CommitState {
  return error instanceof ClaretError ? error.commitState : 'none';
}
