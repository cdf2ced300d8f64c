// LoggedTypes: the operations that codes in the logs name. Those of installed types are known from the logs themselves, which have each type before
// its first operation (docs/wire-format.md, "Installed data types").
import { operationSpecs, type Kind } from '@claret/client';
import { fieldsOf } from '../fields.ts';

export interface LoggedSpec {
  /** "SeatMap.reserve" */
  readonly name: string;
  readonly parameters: readonly Kind[];
  readonly result: Kind;
  readonly changes: boolean;
}

const CODES_OF_A_TYPE = 256;

interface Definition {
  name: string;
  operations: { name: string; parameters: { kind: Kind }[]; result: Kind; writes: unknown[] }[];
}

export class LoggedTypes {
  readonly #specs = new Map<number, LoggedSpec>();
  readonly #byName = new Map<string, LoggedSpec>();

  constructor() {
    for (const { code, name, parameters, result, operationClass } of operationSpecs.values())
      this.#add(code, { name, parameters, result, changes: operationClass !== 'observe' });
  }

  #add(code: number, spec: LoggedSpec): void {
    this.#specs.set(code, spec);
    this.#byName.set(spec.name, spec);
  }

  /** An entry of a log: the type is as this one from now on. */
  take(entry: Uint8Array): void {
    let id = 0;
    let text: Uint8Array | undefined;
    for (const [number, value, bytes] of fieldsOf(entry)) {
      if (number === 1) id = Number(value);
      if (number === 3) text = bytes;
    }
    const { name: type, operations } = JSON.parse(new TextDecoder().decode(text)) as Definition;
    operations.forEach(({ name, parameters, result, writes }, place) => {
      const kinds = parameters.map(({ kind }) => kind);
      this.#add(id * CODES_OF_A_TYPE + place + 1, { name: `${type}.${name}`, parameters: kinds, result, changes: writes.length > 0 });
    });
  }

  /** Throws an Error if no log has told of it. */
  withCode(code: number): LoggedSpec {
    const spec = this.#specs.get(code);
    if (spec === undefined) throw new Error(`an entry of the log names the operation ${code}, which nobody knows`);
    return spec;
  }

  changes(name: string): boolean {
    return this.#byName.get(name)!.changes;
  }
}
