// Data types that were installed while the cluster ran, as shards and gateways know them.

export interface InstalledType {
  /** 128 to 247; the type keeps it for good */
  id: number;
  /** it refuses its operations, and its records can be deleted */
  retired: boolean;
  /** JSON text */
  definition: string;
}

/** Path of the program that tries the laws on a definition: it reads it from its input, and prints a line of JSON. */
export const TYPE_CHECK: string;
/** What the definition of a data type (docs/types-of-your-own.md) says of itself, or what is wrong with it. */
export function readDefinition(definition: string): { name: string; version: number; meaning: string } | { problem: string };
