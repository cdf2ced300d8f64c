// Runs the functions of an operation on symbols, and writes down what they return.

import { NODES_MAX, Expression, type Json } from './expression.ts';
import { Change, fieldOf, type EachField, type FieldType } from './field-type.ts';
import type { OperationDefinition, ParameterDefinition, RequirementDefinition, WriteDefinition } from './definition.ts';
import { isParameterKind, isValueKind, Kinded, sortOfParameter, sortOfResult, type ValueKind } from './kinds.ts';
import { CHANGES_MAX, checkMeaning, checkName, membersOf, onlyThese, PARAMETERS_MAX, REQUIREMENTS_MAX } from './names.ts';
import { invalid, within } from './problem.ts';
import { Trace, type Purpose } from './trace.ts';
import { coerce } from './value.ts';
import { Requirement, SORTS } from './values.ts';

export type Fields = ReadonlyMap<string, FieldType | EachField>;

/** What is known of an operation before its functions run. */
export interface Signature {
  readonly parameters: readonly ParameterDefinition[];
  /** null: it is void */
  readonly result: ValueKind | null;
}

interface TracedOperation {
  readonly signature: Signature;
  readonly definition: OperationDefinition;
}

const MEMBERS = ['meaning', 'parameters', 'result', 'require', 'answer', 'write'] as const;

type Source = Partial<Record<(typeof MEMBERS)[number], unknown>>;
type Written = (...args: unknown[]) => unknown;

/** @param where "SeatMap.reserve" */
export function operationOf(where: string, name: string, given: unknown, fields: Fields): TracedOperation {
  const source: Source = onlyThese(given, 'members of an operation', MEMBERS);
  const { meaning } = source;
  checkMeaning(meaning);
  const signature = signatureOf(source);
  if (source.answer === undefined && source.write === undefined) throw invalid('it neither answers nor writes');
  const parts = () => new OperationTrace(where, source, signature, fields).parts();
  const once = parts();
  if (JSON.stringify(once) !== JSON.stringify(parts())) {
    throw invalid(
      'its functions return something else when they run again: they may use nothing but what they are given, no time and no chance',
    );
  }
  const { parameters, result } = signature;
  return { signature, definition: { name, meaning, parameters, result: result ?? 'void', ...once } };
}

function signatureOf({ parameters = {}, result, answer }: Source): Signature {
  const list = membersOf(parameters, 'parameters', PARAMETERS_MAX).map(([name, parameter]): ParameterDefinition => {
    checkName(name, 'a parameter');
    if (!(parameter instanceof Kinded) || !isParameterKind(parameter.kind)) {
      throw invalid(`the parameter ${name} has no kind that a parameter can have, such as text() or integer()`);
    }
    checkMeaning(parameter.meaning, `the meaning of the parameter ${name}`);
    return { name, kind: parameter.kind, meaning: parameter.meaning };
  });
  if (answer !== undefined && result === undefined)
    throw invalid('it has an answer without a result: say its kind, such as `result: integer()`');
  if (result === undefined) return { parameters: list, result: null };
  if (!(result instanceof Kinded) || !isValueKind(result.kind)) throw invalid('its result has no kind, such as text() or integer()');
  if (answer === undefined) throw invalid('it has a result without an answer');
  return { parameters: list, result: result.kind };
}

/** What a function gets for the arguments: `symbols(i)` is the expression of the argument at an index. */
export function argumentsOf({ parameters }: Signature, expression: (index: number) => Expression): object {
  const args = Object.create(null) as Record<string, unknown>;
  parameters.forEach(({ name, kind }, i) => (args[name] = sortOfParameter(kind).wrap(expression(i))));
  return Object.freeze(args);
}

/** What a function gets for the fields. */
export function fieldsIn(types: Fields, trace: Trace): object {
  const fields = Object.create(null) as Record<string, unknown>;
  let index = 0;
  for (const [name, type] of types) fields[name] = fieldOf(type, index++, trace);
  return Object.freeze(fields);
}

/** One run of the functions. */
class OperationTrace {
  readonly #where: string;
  readonly #source: Source;
  readonly #signature: Signature;
  readonly #fields: Fields;
  #nodes = 0;

  constructor(where: string, source: Source, signature: Signature, fields: Fields) {
    this.#where = where;
    this.#source = source;
    this.#signature = signature;
    this.#fields = fields;
  }

  parts(): Pick<OperationDefinition, 'require' | 'answer' | 'writes'> {
    const require = this.#run('require', 'read', (returned) => this.#requirements(returned)) ?? [];
    const answer = this.#run('answer', 'read', (returned) => this.#answer(returned)) ?? null;
    const writes = this.#run('write', 'write', (returned, trace) => this.#writes(returned, trace)) ?? [];
    return { require, answer, writes };
  }

  /** Undefined: the operation has no such function. */
  #run<Part>(name: 'require' | 'answer' | 'write', purpose: Purpose, part: (returned: unknown, trace: Trace) => Part): Part | undefined {
    const body = this.#source[name];
    if (body === undefined) return undefined;
    const trace = new Trace(`${this.#where}, ${name}`, purpose);
    return within(name, () => {
      if (typeof body !== 'function') throw invalid('it is no function');
      return trace.run(() => {
        const args = argumentsOf(this.#signature, (index) => Expression.symbol(['argument', index], trace));
        const more = name === 'write' ? [this.#answerSymbol(trace)] : [];
        return part((body as Written)(fieldsIn(this.#fields, trace), args, ...more), trace);
      });
    });
  }

  #answerSymbol(trace: Trace): unknown {
    const { result } = this.#signature;
    return result === null ? undefined : sortOfResult(result).wrap(Expression.symbol(['answer'], trace));
  }

  // ---- what they return; while the trace runs, since values are of use in it only ----

  #requirements(returned: unknown): RequirementDefinition[] {
    return listOfAtMost(returned, REQUIREMENTS_MAX, 'conditions').map((each) => {
      if (!(each instanceof Requirement)) throw invalid("a condition lacks what it refuses with: condition.orRefuse('code', 'message')");
      const { that, code, message } = each;
      checkName(code, 'the code of a refusal');
      checkMeaning(message, `the message of ${code}`);
      return { that: this.#count(coerce(that, SORTS.boolean)), code, message };
    });
  }

  #answer(returned: unknown): Json {
    return this.#count(coerce(returned, sortOfResult(this.#signature.result!)));
  }

  #writes(returned: unknown, trace: Trace): WriteDefinition[] {
    return changesIn(returned, trace).map(({ field, key, operation, args, condition }) => {
      const [keyJson, whenJson] = [key, condition].map((each) => (each === null ? null : this.#count(each)));
      return { field, key: keyJson!, operation, arguments: args.map((arg) => this.#count(arg)), when: whenJson! };
    });
  }

  #count(expression: Expression): Json {
    this.#nodes += expression.nodes;
    if (this.#nodes > NODES_MAX) throw invalid(`the operation has more than ${NODES_MAX} nodes; a value that is used twice counts twice`);
    return expression.json;
  }
}

export function changesIn(returned: unknown, trace: Trace): readonly Change[] {
  return listOfAtMost(returned, CHANGES_MAX, 'changes').map((change) => {
    if (!(change instanceof Change)) throw invalid('it returns a list of changes of fields, and this is none');
    if (change.trace !== trace) throw invalid(`a change of ${change.trace.where} is returned by another function`);
    return change;
  });
}

function listOfAtMost(returned: unknown, max: number, what: string): readonly unknown[] {
  if (returned instanceof Promise) throw invalid('it returns a promise, and cannot wait for anything');
  if (!Array.isArray(returned)) throw invalid(`it returns no list of ${what}`);
  if (returned.length > max) throw invalid(`it returns ${returned.length} ${what}, and at most ${max} are possible`);
  return returned;
}
