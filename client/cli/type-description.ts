// TypeDescription: a data type with its operations, as the command line knows it.

export interface ParameterDescription {
  name: string;
  /** as the core names it: `text`, `integer`, `texts` … */
  kind: string;
  meaning: string;
}

export interface OperationDescription {
  /** "Set.add" */
  name: string;
  meaning: string;
  /** it changes nothing */
  isRead: boolean;
  /** kind of the result; `void` for none */
  result: string;
  parameters: readonly ParameterDescription[];
}

export interface TypeDescription {
  name: string;
  meaning: string;
  operations: readonly OperationDescription[];
}
