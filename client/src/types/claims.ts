// Claims: conditions under which two operations may hold a record together, although their fields do not say so.

import type { ClaimDefinition } from './definition.ts';
import { Expression, type Json } from './expression.ts';
import { sortOfResult } from './kinds.ts';
import { onlyThese } from './names.ts';
import { invalid, within } from './problem.ts';
import { Trace } from './trace.ts';
import { argumentsOf, type Signature } from './trace-operation.ts';
import { coerce } from './value.ts';
import { SORTS } from './values.ts';

/** @param signatures of all operations, by name */
export function claimOf(type: string, given: unknown, signatures: ReadonlyMap<string, Signature>): ClaimDefinition {
  const { first, second, when } = onlyThese(given, 'members of a claim', ['first', 'second', 'when']);
  const [one, other] = [first, second].map((name) => (typeof name === 'string' ? signatures.get(name) : undefined));
  if (one === undefined || other === undefined) throw invalid('`first` and `second` are names of operations of the type');
  if (typeof when !== 'function') throw invalid('`when` is a function of the two operations');
  const where = `${type}, the claim of ${String(first)} and ${String(second)}`;
  const json = () => conditionOf(where, when as (...sides: unknown[]) => unknown, one, other);
  const once = json();
  if (JSON.stringify(once) !== JSON.stringify(json())) throw invalid('`when` returns something else when it runs again');
  return { first: first as string, second: second as string, when: once };
}

function conditionOf(where: string, when: (...sides: unknown[]) => unknown, first: Signature, second: Signature): Json {
  const trace = new Trace(where, 'claim');
  return within('when', () =>
    trace.run(() => {
      const sides = [first, second].map((signature, side) => sideOf(signature, side, trace));
      return coerce(when(...sides), SORTS.boolean).json;
    }),
  );
}

function sideOf(signature: Signature, side: number, trace: Trace): object {
  const args = argumentsOf(signature, (index) => Expression.symbol(['argument', side, index], trace));
  const { result } = signature;
  const answer = result === null ? undefined : sortOfResult(result).wrap(Expression.symbol(['answer', side], trace));
  return Object.freeze({ arguments: args, answer });
}
