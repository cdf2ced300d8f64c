// Replay: all committed transactions, run again on the models, in timestamp order. Every result must equal the one that was seen.

import type { HistoryValue } from '@claret/client';
import type { Committed, Access } from './committed.ts';
import { FRESH, Refusal, sameValue, type Model, type Step } from './model.ts';
import { modelOf } from './models/index.ts';
import { callText, excerpt, nameOf, type Violation } from './violation.ts';

/** The results of an access; null if the core would have refused it. */
export type Results = (HistoryValue | undefined | typeof FRESH)[] | null;

/** On the state before the transaction: it does not see its own changes, except for its reservations. Commands of Redis clients see them. */
export function execute(model: Model, access: Access): Results {
  const own: Step[] = [];
  try {
    if (access.inSteps) return executeInSteps(model, access);
    return access.operations.map(({ op, args, result: seen }) => {
      const result = model.execute(op, args, own);
      own.push({ op, args, result: result === FRESH ? seen : result });
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function executeInSteps(before: Model, { operations }: Access): Results {
  const model = operations.length > 1 ? before.clone() : before;
  return operations.map(({ op, args, result: seen }, i) => {
    const result = model.execute(op, args, []);
    if (i + 1 < operations.length) model.commit(op, args, result === FRESH ? seen : result);
    return result;
  });
}

/** Whether these are the results that the access saw, as far as it saw any. */
export function wereSeen(access: Access, results: Results): boolean {
  if (results === null) return false;
  return access.operations.every(({ result: seen }, i) => {
    const result = results[i];
    return seen === undefined || result === FRESH || sameValue(seen, result);
  });
}

/** Applies the changes, in the order of issue, with these results; a refused access changes nothing. */
export function apply(model: Model, access: Access, results: Results): void {
  if (results === null) return;
  access.operations.forEach(({ op, args, result: seen }, i) => {
    const result = results[i];
    model.commit(op, args, result === FRESH ? seen : result);
  });
}

/** Called with the state of the record before the access of the transaction at `position`. */
export type BeforeAccess = (position: number, access: Access, model: Model) => void;

/** The models of records, by name. */
export type States = Map<string, Model>;

/** The transaction that drew an identifier. */
export interface Given {
  id: string;
  name: string;
}

/** `states` and `given`: from earlier parts; updated. */
export function replay(
  committed: readonly Committed[],
  beforeAccess: BeforeAccess,
  states: States = new Map(),
  given: Map<string, Given> = new Map(),
): Violation[] {
  const violations: Violation[] = [];
  committed.forEach((transaction, position) => {
    for (const access of transaction.accesses) {
      let model = states.get(access.record);
      if (model === undefined) states.set(access.record, (model = modelOf(access.type)));
      beforeAccess(position, access, model);
      const results = execute(model, access);
      violations.push(...wrongResults(committed, position, access, results), ...givenAgain(committed, position, access, results, given));
      // Continues with the results seen, so that one mistake is reported once.
      apply(model, access, results === null ? null : results.map((result, i) => access.operations[i]!.result ?? result));
    }
  });
  return violations;
}

function wrongResults(committed: readonly Committed[], position: number, access: Access, results: Results): Violation[] {
  const violation = (what: string): Violation => ({
    rule: 'result',
    text: `${nameOf(committed[position]!)}: ${what}\n${excerpt(committed, position, access.record)}`,
    attempts: [committed[position]!.attempt.id],
  });
  if (results === null) return [violation(`${access.operations.map(callText).join('; ')}: should have been refused`)];
  return access.operations.flatMap((operation, i) => {
    const result = results[i];
    if (operation.result === undefined || result === FRESH || sameValue(operation.result, result)) return [];
    return [violation(`${callText(operation)}, but in timestamp order it is ${JSON.stringify(result)}`)];
  });
}

function givenAgain(
  committed: readonly Committed[],
  position: number,
  access: Access,
  results: Results,
  given: Map<string, Given>,
): Violation[] {
  return access.operations.flatMap((operation, i) => {
    if (results?.[i] !== FRESH || operation.result === undefined) return [];
    const identifier = `${access.record} ${JSON.stringify(operation.result)}`;
    const first = given.get(identifier);
    const second = { id: committed[position]!.attempt.id, name: nameOf(committed[position]!) };
    if (first === undefined) {
      given.set(identifier, second);
      return [];
    }
    return [
      {
        rule: 'fresh' as const,
        text: `${callText(operation)} was given twice:\n    ${first.name}\n  > ${second.name}`,
        attempts: [first.id, second.id],
      },
    ];
  });
}
