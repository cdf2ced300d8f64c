// defineType: makes a data type of the built-in ones (docs/types-of-your-own.md). It runs the functions of the type's operations once, on symbols:
// what they compute becomes the definition that a cluster gets. No JavaScript runs in a shard.

import { OwnType } from '../operation/own-type.ts';
import { NAMED_CODES, type OperationClass, type OperationSpec } from '../values/operation-spec.ts';
import { claimOf } from './claims.ts';
import { hashOf, textOf, type Definition, type FieldDefinition, type OperationDefinition } from './definition.ts';
import { EachField, FieldType, ValueField } from './field-type.ts';
import { migrationsOf } from './migrations.ts';
import { checkMeaning, checkName, checkTypeName, checkVersion, FIELDS_MAX, membersOf, onlyThese, OPERATIONS_MAX } from './names.ts';
import { invalid, within } from './problem.ts';
import type { OperationsOf, StateSource, TypeSource } from './source.ts';
import { operationOf, type Fields, type Signature } from './trace-operation.ts';

/** A type of an application's own: for handles (`tx.of(type, key)`), and to be installed in a cluster. */
export class DefinedType<out Operations = unknown> extends OwnType<Operations> {
  override readonly name: string;
  readonly version: number;
  readonly meaning: string;
  /** the text that a cluster gets */
  readonly definition: string;
  /** SHA-256 of the definition's UTF-8, hexadecimal */
  readonly hash: string;
  override readonly specs: ReadonlyMap<string, OperationSpec>;

  /** REQUIRES: the definition was checked. */
  constructor(definition: Definition) {
    super();
    this.name = definition.name;
    this.version = definition.version;
    this.meaning = definition.meaning;
    this.definition = textOf(definition);
    this.hash = hashOf(this.definition);
    const base = firstCodeOf(this.hash);
    const specs = definition.operations.map((operation, i) => specOf(definition.name, operation, base + i));
    this.specs = new Map(definition.operations.map(({ name }, i) => [name, specs[i]!]));
  }
}

/** The same definition has the same codes, however often a program loads it. */
const numbers = new Map<string, number>();
const CODES_OF_A_TYPE = 256;

function firstCodeOf(hash: string): number {
  let number = numbers.get(hash);
  if (number === undefined) numbers.set(hash, (number = numbers.size));
  return NAMED_CODES + number * CODES_OF_A_TYPE + 1;
}

function classOf({ result, writes }: OperationDefinition): OperationClass {
  if (writes.length === 0) return 'observe';
  return result === 'void' ? 'mutate' : 'both';
}

/**
 * What a client may do with an operation by itself, without its shard: nothing. Whether a result follows from another one, and what covers what, is
 * known to the shard, which knows the fields.
 */
function specOf(type: string, operation: OperationDefinition, code: number): OperationSpec {
  return Object.freeze({
    code,
    name: `${type}.${operation.name}`,
    operationClass: classOf(operation),
    result: operation.result,
    parameters: operation.parameters.map(({ kind }) => kind),
    mode: 0,
  });
}

/** Throws `DefinitionError` for a type that no cluster would take. */
export function defineType<State extends StateSource, Parameters, Results>(
  source: TypeSource<State, Parameters, Results>,
): DefinedType<OperationsOf<Parameters, Results>> {
  const type = within('a type', () =>
    onlyThese(source, 'members of a type', ['name', 'version', 'meaning', 'state', 'operations', 'commutes', 'migrations']),
  );
  const { name } = type;
  within('a type', () => checkTypeName(name));
  return within(String(name), () => new DefinedType(definitionOf(type)));
}

function definitionOf(type: Partial<Record<string, unknown>>): Definition {
  const { name, version, meaning, state, operations, commutes = [], migrations = {} } = type;
  checkTypeName(name);
  checkVersion(version);
  checkMeaning(meaning);
  const fields = fieldsOf(state);
  const traced = membersOf(operations, 'operations', OPERATIONS_MAX).map(([operation, source]) => {
    checkName(operation, 'an operation');
    return within(operation, () => operationOf(`${name}.${operation}`, operation, source, fields));
  });
  if (traced.length === 0) throw invalid('it has no operations');
  const signatures = new Map<string, Signature>(traced.map(({ definition, signature }) => [definition.name, signature]));
  if (!Array.isArray(commutes)) throw invalid('`commutes` is a list');
  const migrated = migrationsOf(name, version, migrations, fields);
  return {
    format: 1,
    name,
    version,
    meaning,
    fields: [...fields].map(([field, of]) => fieldDefinition(field, of)),
    operations: traced.map(({ definition }) => definition),
    commutes: commutes.map((claim: unknown, i) => within(`claim ${i + 1}`, () => claimOf(String(name), claim, signatures))),
    ...(migrated.length === 0 ? {} : { migrations: migrated }),
  };
}

function fieldDefinition(name: string, given: FieldType | EachField): FieldDefinition {
  const type = given instanceof EachField ? given.type : given;
  const definition = { name, type: type.name, each: given instanceof EachField };
  return type instanceof ValueField ? { ...definition, shape: type.shape.json, initial: type.initial } : definition;
}

function fieldsOf(state: unknown): Fields {
  const fields = new Map<string, FieldType | EachField>();
  for (const [name, type] of membersOf(state, 'fields', FIELDS_MAX)) {
    checkName(name, 'a field');
    if (!(type instanceof FieldType) && !(type instanceof EachField))
      throw invalid(`the field ${name} has no type, such as counter or each(counter)`);
    fields.set(name, type);
  }
  if (fields.size === 0) throw invalid('it has no fields');
  return fields;
}
