// Whether an attempt has failed since another transaction holds what it wants, or wants what it holds.

import type { ClaretError } from './claret-error.ts';
import type { ErrorCause } from './error-codes.ts';

const LOCK_CAUSES: readonly (ErrorCause | undefined)[] = ['denied', 'wounded', 'deadlock', 'lock_wait', 'idle'];

export const metLock = ({ cause }: ClaretError): boolean => LOCK_CAUSES.includes(cause);
