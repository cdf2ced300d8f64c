// Expectations: the results that operations of a one-shot transaction have to have, for callers who have read and decided before. The list
// commits only where all of them hold. Otherwise the caller is told the results as they are.
import { expectedResult, performExpecting, type Description, type Operation, type Step, type Tx, type Unmet } from '@claret/client';
import { GatewayError } from '../errors.ts';
import { resultToJson } from './arguments.ts';
import { describeFromWire, describeNamed } from './operations.ts';
import type { ExpectingOperation, WireOperation } from './operations.ts';
import type { Catalogue } from './catalogue.ts';

/** An operation of a list, at its place. */
export interface PlacedStep extends Step {
  readonly index: number;
}

/** How a caller is told of results. */
export interface Telling {
  /** What is the same in this form is the same result. */
  form(result: unknown): unknown;
  /** an error has room for so much JSON of results */
  readonly bytesMax: number;
}

/** A text and an integer beyond 2^53 - 1 may look the same to such callers. */
export const IN_JSON: Telling = { form: resultToJson, bytesMax: Infinity };

const withoutNegativeZero = (result: unknown): unknown =>
  Array.isArray(result) ? result.map(withoutNegativeZero) : result === 0 ? 0 : result;

/** An error travels in trailers, of which common libraries take 8 KiB. */
export const ON_WIRE: Telling = { form: withoutNegativeZero, bytesMax: 2_048 };

/** Throws GatewayError. */
export function stepFromJson(catalogue: Catalogue, operation: ExpectingOperation, index: number): PlacedStep {
  const description = describeNamed(catalogue, operation);
  const { expect } = operation;
  if (expect === undefined) return { description, index };
  return { description, index, expected: expectedOf(description, expect, 'json', `operations[${index}].expect`) };
}

/** Throws GatewayError. */
export function stepFromWire(catalogue: Catalogue, operation: WireOperation, index: number): PlacedStep {
  const description = describeFromWire(catalogue, operation);
  if (operation.expected === undefined) return { description, index };
  const member = `operations[${index}].expected`;
  if (operation.at) throw new GatewayError('invalid_request', `${member} is about the present, and does not go with \`at\`.`);
  return { description, index, expected: expectedOf(description, absentAsNull(operation.expected.value), 'wire', member) };
}

const absentAsNull = (value: unknown): unknown => (Array.isArray(value) ? value.map(absentAsNull) : (value ?? null));

function expectedOf({ spec, key }: Description<unknown>, given: unknown, form: 'json' | 'wire', member: string): unknown {
  const expected = expectedResult(spec.result, given, form);
  if (expected !== undefined) return expected;
  const why = spec.result === 'void' ? 'has no result' : `has a result of the kind ${spec.result}`;
  throw new GatewayError('invalid_request', `${member}: ${spec.name} ${why}.`, { key, operation: spec.name });
}

export const expects = ({ expected }: Step): boolean => expected !== undefined;

/** Issues the operations. Throws expectation_failed. */
export async function perform(tx: Tx, steps: readonly PlacedStep[], telling: Telling): Promise<Operation<unknown>[]> {
  const { operations, unmet } = await performExpecting(tx, steps, telling.form);
  if (unmet.length > 0) throw failed(unmet, telling, tx.retries);
  return operations;
}

function failed(unmet: readonly Unmet<PlacedStep>[], telling: Telling, retries: number): GatewayError {
  const { index, description } = unmet[0]!.step;
  const { key, spec } = description;
  const others = unmet.length === 1 ? '' : `, and so have ${unmet.length - 1} more`;
  return new GatewayError(
    'expectation_failed',
    `operations[${index}], ${spec.name}, has another result than was expected${others}. Nothing happened.`,
    { key, operation: spec.name, retries, extra: { unmet: told(unmet, telling) } },
  );
}

const bytesOf = (entry: object): number => Buffer.byteLength(JSON.stringify(entry)) + 1;

/** As many as there is room for, in order. A result that is too long is left out. */
function told(unmet: readonly Unmet<PlacedStep>[], { bytesMax }: Telling): { index: number; result?: unknown }[] {
  const entries: { index: number; result?: unknown }[] = [];
  let left = bytesMax;
  for (const { step, result } of unmet) {
    const whole = { index: step.index, result: resultToJson(result) };
    const entry = bytesOf(whole) <= left ? whole : { index: step.index };
    left -= bytesOf(entry);
    if (left < 0) break;
    entries.push(entry);
  }
  return entries;
}
