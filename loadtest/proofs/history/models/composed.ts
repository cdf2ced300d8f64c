// Models of data types of an application's own, derived from their definitions: fields are models of built-in types.

import { operationSpecs, type HistoryValue, type Kind } from '@claret/client';
import { Refusal, type FRESH, type Model, type Step } from '../model.ts';
import { condition, evaluate, innerOf, outerOf, text } from './expression.ts';
import { Meter, type Inner, type Json, type Known } from './inner.ts';
import type { Shape } from './shape.ts';
import { ValueField, type Update } from './value-field.ts';

interface WriteDefinition {
  field: number;
  key: Json;
  operation: string;
  arguments: Json[];
  when: Json;
}

interface OperationDefinition {
  name: string;
  parameters: { kind: Kind }[];
  result: Kind;
  require: { that: Json }[];
  answer: Json;
  writes: WriteDefinition[];
}

interface FieldDefinition {
  type: string;
  each: boolean;
  /** of the type Value */
  shape?: Shape;
  initial?: Json;
}

interface Definition {
  name: string;
  fields: FieldDefinition[];
  operations: OperationDefinition[];
}

/** A change of one field. */
interface FieldStep {
  place: string;
  field: number;
  op: string;
  args: HistoryValue[];
  /** of a value, in place of `op` and `args` */
  update?: Update;
}

/** The state of a field. */
type FieldState = Model | ValueField;

/** Operations of built-in types whose results are numbers although their kind does not say so. */
const NUMBER_RESULTS = new Set(['SummaryBag.mean', 'SummaryBag.variance']);

export class ComposedType {
  readonly name: string;
  readonly #definition: Definition;
  readonly #operations: ReadonlyMap<string, OperationDefinition>;
  readonly #blank: (field: number) => FieldState;

  /** Throws if the text is no definition. `blank`: an empty state of a built-in type */
  constructor(definition: string, blank: (type: string) => Model) {
    this.#definition = JSON.parse(definition) as Definition;
    const { name, fields, operations } = this.#definition;
    if (typeof name !== 'string' || !Array.isArray(fields) || !Array.isArray(operations)) throw new Error('it is no definition of a type');
    this.name = name;
    this.#operations = new Map(operations.map((operation) => [operation.name, operation]));
    this.#blank = (field) => {
      const { type, shape, initial = null } = fields[field]!;
      return type === 'Value' ? new ValueField(shape!, evaluate(initial, { args: [] })) : blank(type);
    };
    fields.forEach((_, field) => this.#blank(field));
  }

  changes(op: string): boolean {
    return (this.#operations.get(op)?.writes.length ?? 0) > 0;
  }

  blank(field: number): FieldState {
    return this.#blank(field);
  }

  /** Throws for an unknown one. */
  operation(op: string): OperationDefinition {
    const operation = this.#operations.get(op);
    if (operation === undefined) throw new Error(`${this.name} has no operation ${op}`);
    return operation;
  }

  fieldOperation(field: number, op: string) {
    const name = `${this.#definition.fields[field]!.type}.${op}`;
    const { parameters, result } = operationSpecs.get(name)!;
    return { parameters, result: NUMBER_RESULTS.has(name) ? ('number' as const) : result };
  }

  /** What a call with this result changes. Throws Refusal. */
  writes(op: string, args: HistoryValue[], result: HistoryValue | undefined): FieldStep[] {
    const operation = this.operation(op);
    const known = { args: argumentsOf(operation, args), answer: innerOf(result, operation.result), meter: new Meter() };
    return operation.writes.flatMap((write) => this.#write(write, known));
  }

  #write({ field, key, operation: op, arguments: given, when }: WriteDefinition, known: Known): FieldStep[] {
    if (when !== null && !condition(evaluate(when, known))) return [];
    const place = `${field} ${key === null ? '' : text(evaluate(key, known))}`;
    if (this.#definition.fields[field]!.type === 'Value') {
      const update: Update = (old) => evaluate(given[0]!, { ...known, old, meter: new Meter() });
      return [{ place, field, op, args: [], update }];
    }
    const values = given.map((argument) => evaluate(argument, known));
    return [{ place, field, op, args: fitting(this.fieldOperation(field, op).parameters, values) }];
  }
}

const argumentsOf = ({ parameters }: OperationDefinition, args: HistoryValue[]): Inner[] =>
  parameters.map(({ kind }, i) => innerOf(args[i], kind));

/** As arguments of a built-in operation. Throws Refusal for what does not fit. */
function fitting(kinds: readonly Kind[], values: readonly Inner[]): HistoryValue[] {
  return kinds.map((kind, i) => {
    const value = values[i] ?? null;
    if (!fits(kind, value)) throw new Refusal(`no ${kind}`);
    const outer = outerOf(value);
    return kind === 'entries' ? entriesOf(outer as [string, HistoryValue][]) : outer;
  });
}

/** The last of several for one field counts. */
const entriesOf = (pairs: [string, HistoryValue][]): HistoryValue[] => [...new Map(pairs)].sort(([a], [b]) => (a < b ? -1 : 1));

const isScalar = (value: Inner): boolean => value !== null && !Array.isArray(value);

function fits(kind: Kind, value: Inner): boolean {
  const all = (fit: (item: Inner) => boolean) => Array.isArray(value) && value.every(fit);
  switch (kind) {
    case 'integer':
      return typeof value === 'bigint';
    case 'number':
      return typeof value === 'bigint' || typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'scalar':
      return isScalar(value);
    case 'optional':
      return value === null || isScalar(value);
    case 'texts':
      return all((item) => typeof item === 'string');
    case 'scalars':
      return all(isScalar);
    case 'entries':
      return all((item) => Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && isScalar(item[1] as Inner));
    default:
      return false;
  }
}

/** A record. Copies share the states of fields until one of them changes. */
export class Composed implements Model {
  readonly #type: ComposedType;
  /** "FIELD KEY" -> what is not blank, or was changed */
  readonly #states: Map<string, FieldState>;
  /** places whose states no copy has */
  #own = new Set<string>();

  constructor(type: ComposedType, states: ReadonlyMap<string, FieldState> = new Map()) {
    this.#type = type;
    this.#states = new Map(states);
  }

  execute(op: string, args: HistoryValue[], own: readonly Step[]): HistoryValue | undefined | typeof FRESH {
    const operation = this.#type.operation(op);
    const known: Known = {
      args: argumentsOf(operation, args),
      meter: new Meter(),
      read: (field, key, name, values) => this.#read(field, `${field} ${key}`, name, values),
    };
    for (const { that } of operation.require) if (!condition(evaluate(that, known))) throw new Refusal('a condition does not hold');
    const result = operation.answer === null ? undefined : this.#answer(operation, known);
    this.#checkWrites(this.#type.writes(op, args, result), own);
    return result;
  }

  #answer({ answer, result }: OperationDefinition, known: Known): HistoryValue {
    const value = outerOf(evaluate(answer, known));
    return result === 'entries' ? entriesOf(value as [string, HistoryValue][]) : value;
  }

  #read(field: number, place: string, op: string, values: readonly Inner[]): Inner {
    const state = this.#at(field, place);
    if (state instanceof ValueField) return state.get();
    const { parameters, result } = this.#type.fieldOperation(field, op);
    const value = state.execute(op, fitting(parameters, values), []);
    return innerOf(value as HistoryValue | undefined, result);
  }

  /** Each has to be possible behind those before it, and behind those of the transaction. Throws Refusal. */
  #checkWrites(steps: readonly FieldStep[], own: readonly Step[]): void {
    const before = steps.length === 0 ? [] : own.flatMap(({ op, args, result }) => this.#type.writes(op, args, result));
    for (const step of steps) {
      const held = before.filter(({ place }) => place === step.place);
      const state = this.#at(step.field, step.place);
      if (state instanceof ValueField) state.check([...held, step].map(({ update }) => update!));
      else
        state.execute(
          step.op,
          step.args,
          held.map(({ op, args }) => ({ op, args, result: undefined })),
        );
      before.push(step);
    }
  }

  #at(field: number, place: string): FieldState {
    return this.#states.get(place) ?? this.#type.blank(field);
  }

  commit(op: string, args: HistoryValue[], result: HistoryValue | undefined): void {
    let steps: FieldStep[];
    try {
      steps = this.#type.writes(op, args, result);
    } catch (error) {
      // Of a result that the type never gives.
      if (error instanceof Refusal) return;
      throw error;
    }
    for (const { field, place, op: change, args: given, update } of steps) {
      const state = this.#own.has(place) ? this.#at(field, place) : this.#at(field, place).clone();
      if (state instanceof ValueField) state.commit(update!);
      else state.commit(change, given, undefined);
      this.#states.set(place, state);
      this.#own.add(place);
    }
  }

  clone(): Composed {
    this.#own = new Set();
    return new Composed(this.#type, this.#states);
  }

  equals(other: Composed): boolean {
    return [...new Set([...this.#states.keys(), ...other.#states.keys()])].every((place) => {
      const field = Number(place.slice(0, place.indexOf(' ')));
      const [own, others] = [this.#at(field, place), other.#at(field, place)];
      if (own === others) return true;
      return own instanceof ValueField ? own.equals(others as ValueField) : own.equals(others as Model);
    });
  }
}
