// What an error says of its transaction's effects.

import { ClaretError, type CommitState } from '@claret/client';

export function commitStateOf(error: unknown): CommitState {
  return error instanceof ClaretError ? error.commitState : 'none';
}
