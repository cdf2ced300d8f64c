// Call: one operation on one record with its arguments.

import type { OperationSpec } from './operation-spec.ts';

export interface Call {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
}

/** It changes nothing. */
export const observes = ({ spec }: Call): boolean => spec.operationClass === 'observe';
