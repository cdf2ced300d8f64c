// FieldType: a built-in type or a value of one's own as the type of a field, and what functions do with such a field: read it, or change it.
//
// What an operation writes may depend on its arguments and on its own answer, and on nothing else that it has read: a shard's log keeps these two, and
// replays the writes by them. So fields are read in `require` and `answer`, and changed in `write`.

import { operationSpecs } from '../generated/handles.ts';
import type { OperationSpec } from '../values/operation-spec.ts';
import { Expression, type Json } from './expression.ts';
import { sortOfParameter, sortOfResult, type ParameterKind, type ValueKind } from './kinds.ts';
import { itemSort, ListValue } from './lists.ts';
import { invalid, within } from './problem.ts';
import { Shape } from './shape.ts';
import { Trace, type Local, type Purpose } from './trace.ts';
import { coerce, expressionOf, type Value } from './value.ts';
import { SORTS, type BooleanLike, type TextLike } from './values.ts';

/** `Reads` and `Changes`: what can be done with a field of the type, in the functions that read and in those that write. */
export class FieldType<out Reads = unknown, out Changes = unknown> {
  readonly name: string;
  /** never set: they carry the types */
  declare readonly reads: Reads;
  declare readonly changes: Changes;

  constructor(name: string) {
    this.name = name;
  }
}

export interface ValueReads<V extends Value> {
  /** The value. */
  get(): V;
}

export interface ValueChanges<V extends Value, Like> {
  /** Replaces the value. */
  set(value: Like | V): Change;
  /** Replaces the value by what the function makes of it. Never commutes with another change, unless the type claims it. */
  update(next: (old: V) => Like | V): Change;
}

/** A field with a value of the application's own shape. */
export class ValueField<V extends Value = Value, Like = unknown> extends FieldType<ValueReads<V>, ValueChanges<V, Like>> {
  readonly shape: Shape<V, Like>;
  readonly initial: Json;

  constructor(shape: Shape<V, Like>, initial: Json) {
    super('Value');
    this.shape = shape;
    this.initial = initial;
  }
}

/** A field that holds a value of that shape, and this one at first. */
export function value<V extends Value, Like>(shape: Shape<V, Like>, initial: NoInfer<Like>): ValueField<V, Like> {
  if (!(shape instanceof Shape)) throw invalid('a value field has a shape, such as shape.list(shape.text)');
  const { json } = within('the initial value', () => coerce(initial, shape.sort));
  if (!isConstant(json)) throw invalid('the initial value of a field is a constant');
  return new ValueField(shape, json);
}

function isConstant(json: Json): boolean {
  if (!Array.isArray(json)) return true;
  const [head, ...items] = json as readonly Json[];
  return head === 'integer' || head === 'number' || (head === 'list' && items.every(isConstant));
}

/** A map from texts to states of that type. */
export class EachField<out Of extends FieldType = FieldType> {
  readonly type: Of;

  constructor(type: Of) {
    this.type = type;
  }
}

/** A field that has a state of the type for each text: `field.of(text)`. */
export function each<Of extends FieldType>(type: Of): EachField<Of> {
  if (!(type instanceof FieldType)) throw invalid('`each` takes a built-in type, such as counter');
  return new EachField(type);
}

/** A change of a field, which `write` returns. */
export class Change {
  readonly field: number;
  readonly key: Expression | null;
  readonly operation: string;
  readonly args: readonly Expression[];
  readonly trace: Trace;
  /** null: always */
  readonly condition: Expression | null;
  /** of a migration: it is made for each item of a list; null: once */
  readonly over: Over | null;

  constructor(
    of: Pick<Change, 'field' | 'key' | 'operation' | 'args' | 'trace'>,
    condition: Expression | null = null,
    over: Over | null = null,
  ) {
    this.field = of.field;
    this.key = of.key;
    this.operation = of.operation;
    this.args = of.args;
    this.trace = of.trace;
    this.condition = condition;
    this.over = over;
  }

  /** It is made only where the condition is true. */
  when(condition: BooleanLike): Change {
    const also = coerce(condition, SORTS.boolean);
    return new Change(this, this.condition === null ? also : Expression.of(['and'], [this.condition, also]), this.over);
  }
}

interface Over {
  readonly local: Local;
  readonly list: Expression;
}

/** In a migration: a change that is made for each item of a list. */
export function forEach<V extends Value>(list: ListValue<V>, change: (item: V) => Change): Change {
  const trace = Trace.needed();
  if (trace.purpose !== 'migration') throw invalid('only a migration makes a change for each item of a list');
  return trace.bind((local, symbol) => {
    const made: unknown = change(itemSort(list).wrap(Expression.local(symbol, trace, local)));
    if (!(made instanceof Change) || made.over !== null) throw invalid('forEach takes a function that returns one change');
    return new Change(made, made.condition, { local, list: expressionOf(list) });
  });
}

const operationsOf = (type: string): OperationSpec[] => [...operationSpecs.values()].filter(({ name }) => name.startsWith(`${type}.`));

/** What a function gets for a field: a handle, or one for each key. */
export function fieldOf(type: FieldType | EachField, index: number, trace: Trace): unknown {
  if (type instanceof FieldType) return handleOf(type, index, null, trace);
  return Object.freeze({
    keys: () => {
      checkUse(trace);
      if (trace.purpose !== 'migration') throw invalid('only a migration knows the keys of a field');
      return new ListValue(SORTS.text, Expression.symbol(['keys', index], trace));
    },
    of: (key: TextLike) =>
      handleOf(
        type.type,
        index,
        within('the key of a field', () => coerce(key, SORTS.text)),
        trace,
      ),
  });
}

function valueHandleOf({ shape: { sort } }: ValueField, field: number, key: Expression | null, trace: Trace): unknown {
  const change = (next: (old: Value) => unknown): Change => {
    checkUse(trace);
    if (trace.purpose === 'migration') {
      const to = coerce(next(sort.wrap(Expression.read(field, key, 'get', [], trace))), sort);
      return new Change({ field, key, operation: 'update', args: [to], trace });
    }
    if (trace.purpose !== 'write') throw invalid('a value field is changed in write only');
    const to = trace.bindOld((local, old) => coerce(next(sort.wrap(Expression.local(old, trace, local))), sort));
    return new Change({ field, key, operation: 'update', args: [to], trace });
  };
  return Object.freeze({
    get: () => {
      checkUse(trace);
      if (trace.purpose === 'write')
        throw invalid(
          'write reads no field: update gives a function the old value of its own one, and the answer can be what was read before',
        );
      return sort.wrap(Expression.read(field, key, 'get', [], trace));
    },
    update: change,
    set: (next: unknown) => change(() => next),
  });
}

function checkUse(trace: Trace): void {
  if (trace !== Trace.current) throw invalid(`a field of ${trace.where} is used in another function, or after it has returned`);
}

function handleOf(type: FieldType, field: number, key: Expression | null, trace: Trace): unknown {
  if (type instanceof ValueField) return valueHandleOf(type, field, key, trace);
  const { name } = type;
  const handle = Object.create(null) as Record<string, unknown>;
  for (const spec of operationsOf(name)) {
    const [, operation] = spec.name.split('.') as [string, string];
    handle[operation] = (...args: unknown[]) => {
      checkUse(trace);
      checkPurpose(spec, trace.purpose);
      const given = argumentsOf(spec, args);
      if (trace.purpose === 'write' || (trace.purpose === 'migration' && spec.operationClass !== 'observe'))
        return new Change({ field, key, operation, args: given, trace });
      return sortOfResult(spec.result as ValueKind).wrap(Expression.read(field, key, operation, given, trace));
    };
  }
  return Object.freeze(handle);
}

function checkPurpose({ name, operationClass, result }: OperationSpec, purpose: Purpose): void {
  if ((purpose === 'read' || purpose === 'migration') && operationClass === 'observe') return;
  if ((purpose === 'write' || purpose === 'migration') && result === 'void') return;
  if (operationClass !== 'observe' && result !== 'void') throw invalid(`${name} both answers and changes, and a type can use neither half`);
  if (purpose === 'read') throw invalid(`${name} changes a field: that belongs in write`);
  throw invalid(
    `${name} reads a field, and what is written may depend on the arguments and the answer only: read it in answer, and use the answer`,
  );
}

function argumentsOf({ name, parameters }: OperationSpec, args: readonly unknown[]): Expression[] {
  const least = parameters.findLastIndex((kind) => kind !== 'optional') + 1;
  if (args.length < least || args.length > parameters.length)
    throw invalid(`${name} takes ${parameters.length} arguments, not ${args.length}`);
  return parameters.map((kind, i) =>
    within(`${name}, argument ${i + 1}`, () => coerce(i < args.length ? args[i] : null, sortOfParameter(kind as ParameterKind))),
  );
}
