// Call: one operation on one record with its arguments.

import type { OperationSpec } from './operation-spec.ts';

export interface Call {
  readonly spec: OperationSpec;
  readonly key: string;
  readonly args: readonly unknown[];
}
