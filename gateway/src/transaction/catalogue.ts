// The data types as this gateway's core describes them; REST and unary gRPC look up names in it. Types that are installed while the gateway runs
// come later (store/cluster-types.ts).
import { ClaretError, startOf, type ErrorCode, type Kind, type OperationSpec } from '@claret/client';

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
    parameters: { name: string; kind: Kind }[];
  }[];
}

interface Described {
  types: readonly TypeDescription[];
  /** the operations that every record has, whatever its type: of the type "Record" */
  record: TypeDescription;
}

function specOf(type: TypeDescription, operation: TypeDescription['operations'][number]): OperationSpec {
  const { code, name, class: operationClass, result, parameters, mode } = operation;
  const kinds = parameters.map(({ kind }) => kind);
  return { code, name: `${type.name}.${name}`, operationClass, result, parameters: kinds, mode };
}

const shown = (name: string): string => startOf(name, 64);

export class Catalogue {
  private text = '';
  private described!: Described;
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
    this.described = JSON.parse(json) as Described;
    this.retired = new Set(retired.map((name) => name.toLowerCase()));
    this.operationsByType = new Map();
    this.codes = new Map();
    for (const type of [...this.types, this.record]) {
      const operations = new Map<string, OperationSpec>();
      for (const operation of type.operations) {
        const spec = specOf(type, operation);
        operations.set(operation.name, spec);
        this.codes.set(spec.code, spec);
      }
      this.operationsByType.set(type.name.toLowerCase(), operations);
    }
  }

  get types(): readonly TypeDescription[] {
    return this.described.types;
  }

  get record(): TypeDescription {
    return this.described.record;
  }

  /** The letter case of the type is ignored. Throws unknown_type, type_retired, unknown_operation. */
  find(type: string, operation: string, key: string): OperationSpec {
    const operations = this.operationsByType.get(type.toLowerCase());
    const refused = (code: ErrorCode, message: string) =>
      new ClaretError({ code, message, key, operation: `${shown(type)}.${shown(operation)}` });
    if (!operations && this.retired.has(type.toLowerCase())) throw refused('type_retired', `the type '${type}' is retired`);
    if (!operations) throw refused('unknown_type', `there is no data type '${shown(type)}'`);
    const spec = operations.get(operation);
    if (!spec) {
      const known = [...operations.keys()].join(', ');
      throw refused('unknown_operation', `'${type}' has no operation '${shown(operation)}'; it has ${known}`);
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
    if (!spec) throw new ClaretError({ code: 'unknown_operation', message: `no operation has the code ${code}`, key });
    return spec;
  }
}
