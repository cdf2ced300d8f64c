// TypeDescription: a data type with its operations, as the command line needs it.

import type { OperationSpec } from '../src/values/operation-spec.ts';

export interface ParameterDescription {
  name: string;
  /** the core's name for it: `text`, `integer`, `texts` … */
  kind: string;
  meaning: string;
}

export interface OperationDescription {
  /** "Set.add" */
  name: string;
  meaning: string;
  /** the operation changes nothing */
  isRead: boolean;
  /** kind of the result; `void` for none */
  result: string;
  parameters: readonly ParameterDescription[];
  /** of an operation of an installed type, which the client does not know */
  spec?: OperationSpec;
}

export interface TypeDescription {
  name: string;
  meaning: string;
  operations: readonly OperationDescription[];
}
