// OperationSpec: the catalogue's description of one operation of a data type, as far as a client needs it.

import type { Kind } from './values.ts';

export type OperationClass = 'observe' | 'mutate' | 'both' | 'blind';

export interface OperationSpec {
  /** its code on the wire; from NAMED_CODES on a number of this process, and the operation goes by its name */
  readonly code: number;
  /** "Set.add" */
  readonly name: string;
  readonly operationClass: OperationClass;
  readonly result: Kind;
  readonly parameters: readonly Kind[];
  /** the group of the type's operations that hold a record together */
  readonly mode: number;
}

/**
 * Operations of types of an application's own have codes from here on, beyond those of the wire: each cluster numbers such types as it gets them, and
 * only their names are the same everywhere.
 */
export const NAMED_CODES = 0x1_0000;

/** It goes by its name, and a shard's code means nothing here. */
export const isNamed = ({ code }: OperationSpec): boolean => code >= NAMED_CODES;

/** One of the operations that every record has: delete, exists, … They have no part in epochs and chains, and their type has the id 0. */
export const isOfRecord = ({ code }: OperationSpec): boolean => code < 256;
