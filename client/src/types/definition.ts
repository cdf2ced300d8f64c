// Definition: a type as the cluster gets it. Its text is canonical: members in the order of these interfaces, no white space. The hash of the text
// names the definition.

import { createHash } from 'node:crypto';
import type { Kind } from '../values/values.ts';
import type { Json } from './expression.ts';
import type { ParameterKind } from './kinds.ts';
import { invalid } from './problem.ts';

export interface FieldDefinition {
  readonly name: string;
  readonly type: string;
  readonly each: boolean;
  /** of a value field */
  readonly shape?: Json;
  readonly initial?: Json;
}

export interface ParameterDefinition {
  readonly name: string;
  readonly kind: ParameterKind;
  readonly meaning: string;
}

export interface RequirementDefinition {
  readonly that: Json;
  readonly code: string;
  readonly message: string;
}

export interface WriteDefinition {
  /** its index */
  readonly field: number;
  /** null: the field is not one for each key */
  readonly key: Json;
  readonly operation: string;
  readonly arguments: readonly Json[];
  /** null: always */
  readonly when: Json;
}

export interface OperationDefinition {
  readonly name: string;
  readonly meaning: string;
  readonly parameters: readonly ParameterDefinition[];
  readonly result: Kind;
  readonly require: readonly RequirementDefinition[];
  /** null: it is void */
  readonly answer: Json;
  readonly writes: readonly WriteDefinition[];
}

export interface ClaimDefinition {
  readonly first: string;
  readonly second: string;
  readonly when: Json;
}

export interface MigrationDefinition {
  /** a version */
  readonly to: number;
  /** `over`: a local and a list, for each item of which it is made; null: once */
  readonly writes: readonly (WriteDefinition & { readonly over: Json })[];
}

export interface Definition {
  readonly format: 1;
  readonly name: string;
  readonly version: number;
  readonly meaning: string;
  readonly fields: readonly FieldDefinition[];
  readonly operations: readonly OperationDefinition[];
  readonly commutes: readonly ClaimDefinition[];
  /** left out if there are none */
  readonly migrations?: readonly MigrationDefinition[];
}

const DEFINITION_BYTES_MAX = 64 * 1024;

/** REQUIRES: members are in the order of the interfaces. */
export function textOf(definition: Definition): string {
  const text = JSON.stringify(definition);
  const bytes = Buffer.byteLength(text);
  if (bytes > DEFINITION_BYTES_MAX) throw invalid(`the definition takes ${bytes} bytes, and at most ${DEFINITION_BYTES_MAX} are possible`);
  return text;
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
