// The data types that are installed in the cluster, as its gateway describes them. The command line is not generated for these, so it asks.

import { NAMED_CODES, type OperationClass } from '../src/values/operation-spec.ts';
import type { Kind } from '../src/values/values.ts';
import { suggestion } from './catalogue.ts';
import type { Context } from './context.ts';
import { EXIT, Problem, usageProblem } from './problem.ts';
import type { OperationDescription, ParameterDescription, TypeDescription } from './type-description.ts';

/** server-core/src/adt/registry.h; it has further members. */
interface CataloguedType {
  name: string;
  meaning: string;
  installed?: true;
  operations: { name: string; meaning: string; class: OperationClass; result: Kind; parameters: ParameterDescription[] }[];
}

export interface OwnTypes {
  types: TypeDescription[];
  /** names of those that are retired, and so not in `types` */
  retired: string[];
}

export const NO_TYPES: OwnTypes = { types: [], retired: [] };

/** Throws a problem if no gateway answers. */
export async function installedTypes(context: Context): Promise<OwnTypes> {
  const answer = await context.rest.get<{ types: CataloguedType[]; installed: { name: string; retired: boolean }[] }>('/v1/types');
  return {
    types: answer.types.filter(({ installed }) => installed === true).map(described),
    retired: answer.installed.filter(({ retired }) => retired).map(({ name }) => name),
  };
}

/** The type with this name, in upper or lower case; undefined: there is none. Throws a problem, type_retired. */
export function ownType({ types, retired }: OwnTypes, name: string): TypeDescription | undefined {
  const isNamed = (one: string) => one.toLowerCase() === name.toLowerCase();
  const gone = retired.find(isNamed);
  if (gone !== undefined) throw retiredType(gone);
  return types.find((type) => isNamed(type.name));
}

const retiredType = (name: string): Problem =>
  new Problem(EXIT.failed, 'type_retired', `The data type ${name} is retired: its operations are refused.`, {
    hint: 'Installed again, it is back.',
    retryable: false,
    commit_state: 'none',
  });

/** The operation with this name, in upper or lower case; undefined: none of these types is meant. Throws a usage problem, and type_retired. */
export function ownOperation(own: OwnTypes, name: string): OperationDescription | undefined {
  const [typeName, word] = [name.slice(0, Math.max(name.indexOf('.'), 0)), name.slice(name.indexOf('.') + 1)];
  const type = ownType(own, typeName);
  if (type === undefined) return undefined;
  const operation = type.operations.find((one) => one.name.toLowerCase() === `${type.name}.${word}`.toLowerCase());
  if (operation !== undefined) return operation;
  const known = type.operations.map((one) => one.name.split('.')[1]!);
  const meant = suggestion(word, known);
  throw usageProblem(
    `${type.name} has no operation ${word}.`,
    `${meant === undefined ? '' : `Did you mean ${type.name}.${meant}? `}It has ${known.join(', ')}.`,
  );
}

/** More than a type may have. */
const CODES_OF_A_TYPE = 256;

const described = (type: CataloguedType, place: number): TypeDescription => ({
  name: type.name,
  meaning: type.meaning,
  operations: type.operations.map(({ name, meaning, class: kind, result, parameters }, at): OperationDescription => ({
    name: `${type.name}.${name}`,
    meaning,
    isRead: kind === 'observe',
    result,
    parameters,
    // It goes by its name.
    spec: {
      code: NAMED_CODES + place * CODES_OF_A_TYPE + at + 1,
      name: `${type.name}.${name}`,
      operationClass: kind,
      result,
      parameters: parameters.map((parameter) => parameter.kind as Kind),
      mode: 0,
    },
  })),
});
