// The data types as this gateway's core describes them: what REST and unary gRPC look names up in.
import type { Kind, OperationSpec } from '@claret/client';
import { GatewayError } from '../errors.ts';

interface CatalogueJson {
  types: {
    name: string;
    operations: { code: number; name: string; class: OperationSpec['operationClass']; result: Kind; parameters: { kind: Kind }[] }[];
  }[];
}

export class Catalogue {
  /** as the core wrote it: GET /v1/types, GetCatalogue */
  readonly json: string;
  private readonly types = new Map<string, Map<string, OperationSpec>>();
  private readonly codes = new Map<number, OperationSpec>();

  constructor(json: string) {
    this.json = json;
    for (const type of (JSON.parse(json) as CatalogueJson).types) {
      const operations = new Map<string, OperationSpec>();
      for (const { code, name, class: operationClass, result, parameters } of type.operations) {
        const spec = { code, name: `${type.name}.${name}`, operationClass, result, parameters: parameters.map(({ kind }) => kind) };
        operations.set(name, spec);
        this.codes.set(code, spec);
      }
      this.types.set(type.name.toLowerCase(), operations);
    }
  }

  /** A type is found in any case: `scoredSet` and `ScoredSet`. Throws unknown_type, unknown_operation. */
  find(type: string, operation: string, key: string): OperationSpec {
    const operations = this.types.get(type.toLowerCase());
    if (!operations) throw new GatewayError('unknown_type', `There is no data type '${type.slice(0, 64)}'.`, { key });
    const spec = operations.get(operation);
    if (!spec) {
      const known = [...operations.keys()].join(', ');
      throw new GatewayError('unknown_operation', `'${type}' has no operation '${operation.slice(0, 64)}'; it has ${known}.`, { key });
    }
    return spec;
  }

  /** By the wire's code or, when that is 0, by "Set.add". Throws unknown_type, unknown_operation. */
  findOnWire(code: number, name: string, key: string): OperationSpec {
    if (code === 0) {
      const dot = name.indexOf('.');
      return this.find(dot < 0 ? name : name.slice(0, dot), dot < 0 ? '' : name.slice(dot + 1), key);
    }
    const spec = this.codes.get(code);
    if (!spec) throw new GatewayError('unknown_operation', `No operation has the code ${code}.`, { key });
    return spec;
  }
}
