// Whether a failed transaction took effect, from its error.

import { ClaretError, type CommitState } from '@claret/client';

export function commitStateOf(error: unknown): CommitState {
  return error instanceof ClaretError ? error.commitState : 'none';
}
