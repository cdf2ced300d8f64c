// The data types that are installed in the cluster, as its gateway describes them. The command line is not generated for these, so it asks.

import type { Context } from './context.ts';
import type { OperationDescription, ParameterDescription, TypeDescription } from './type-description.ts';

/** server-core/src/adt/registry.h; it has further members. */
interface CataloguedType {
  name: string;
  meaning: string;
  installed?: true;
  operations: { name: string; meaning: string; class: string; result: string; parameters: ParameterDescription[] }[];
}

/** Throws a problem if no gateway answers. */
export async function installedTypes(context: Context): Promise<TypeDescription[]> {
  const { types } = await context.rest.get<{ types: CataloguedType[] }>('/v1/types');
  return types.filter(({ installed }) => installed === true).map(described);
}

const described = (type: CataloguedType): TypeDescription => ({
  name: type.name,
  meaning: type.meaning,
  operations: type.operations.map(({ name, meaning, class: kind, result, parameters }): OperationDescription => ({
    name: `${type.name}.${name}`,
    meaning,
    isRead: kind === 'observe',
    result,
    parameters,
  })),
});
