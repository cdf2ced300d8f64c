// Issuer: takes the operations of typed handles.

import type { OperationSpec } from '../values/operation-spec.ts';
import type { Operation } from './operation.ts';

export interface Issuer {
  issue<Result>(spec: OperationSpec, key: string, args: readonly unknown[]): Operation<Result>;
}
