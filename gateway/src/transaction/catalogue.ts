// The data types as this gateway's core describes them; REST and unary gRPC look up names in it. Types that are installed while the gateway runs
// come later (store/cluster-types.ts).
import type { JoinHow, Kind, OperationSpec } from '@claret/client';
import { GatewayError } from '../errors.ts';

/** A data type as described by server-core/src/adt/registry.h, which has further members. */
export interface TypeDescription {
  name: string;
  meaning: string;
  operations: {
    code: number;
    name: string;
    class: OperationSpec['operationClass'];
    result: Kind;
    mode: number;
    combinable: boolean;
    covered: boolean;
    parameters: { name: string; kind: Kind }[];
  }[];
  joins: { holder: string; joiner: string; how: JoinHow; parameter: number }[];
}

function specOf(type: TypeDescription, operation: TypeDescription['operations'][number]): OperationSpec {
  const { code, name, class: operationClass, result, parameters, mode, combinable, covered } = operation;
  const joins = type.joins
    .filter(({ joiner }) => joiner === name)
    .map(({ holder, how, parameter }) => ({ holder: type.operations.find((held) => held.name === holder)!.code, how, parameter }));
  const kinds = parameters.map(({ kind }) => kind);
  return { code, name: `${type.name}.${name}`, operationClass, result, parameters: kinds, mode, combinable, covered, joins };
}

export class Catalogue {
  private text = '';
  private operationsByType = new Map<string, Map<string, OperationSpec>>();
  private codes = new Map<number, OperationSpec>();
  private retired: ReadonlySet<string> = new Set();

  constructor(json: string) {
    this.take(json, []);
  }

  /** as the core wrote it: GET /v1/types, GetCatalogue */
  get json(): string {
    return this.text;
  }

  /** `json`: as the core writes it; `retired`: names of types that are not in it. */
  take(json: string, retired: readonly string[]): void {
    this.text = json;
    this.retired = new Set(retired.map((name) => name.toLowerCase()));
    this.operationsByType = new Map();
    this.codes = new Map();
    for (const type of [...this.types(), this.record()]) {
      const operations = new Map<string, OperationSpec>();
      for (const operation of type.operations) {
        const spec = specOf(type, operation);
        operations.set(operation.name, spec);
        this.codes.set(spec.code, spec);
      }
      this.operationsByType.set(type.name.toLowerCase(), operations);
    }
  }

  types(): TypeDescription[] {
    return (JSON.parse(this.json) as { types: TypeDescription[] }).types;
  }

  /** The operations that every record has, whatever its type: of the type "Record". */
  record(): TypeDescription {
    return (JSON.parse(this.json) as { record: TypeDescription }).record;
  }

  /** The letter case of the type is ignored. Throws unknown_type, type_retired, unknown_operation. */
  find(type: string, operation: string, key: string): OperationSpec {
    const operations = this.operationsByType.get(type.toLowerCase());
    if (!operations && this.retired.has(type.toLowerCase()))
      throw new GatewayError('type_retired', `The type '${type}' is retired.`, { key });
    if (!operations) throw new GatewayError('unknown_type', `There is no data type '${type.slice(0, 64)}'.`, { key });
    const spec = operations.get(operation);
    if (!spec) {
      const known = [...operations.keys()].join(', ');
      throw new GatewayError('unknown_operation', `'${type}' has no operation '${operation.slice(0, 64)}'; it has ${known}.`, { key });
    }
    return spec;
  }

  /** Finds an operation by its code or, if that is 0, by a name such as "Set.add". Throws unknown_type, type_retired, unknown_operation. */
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
