// Replay: all that is committed, run again on the models, in timestamp order. Every result must be the one that was seen.

import type { HistoryValue } from '@claret/client';
import type { Committed, Visit } from './committed.ts';
import { FRESH, Refusal, sameValue, type Model, type Step } from './model.ts';
import { modelOf } from './models/index.ts';
import { callText, excerpt, nameOf, type Violation } from './violation.ts';

/** The results of a visit; null where the core would have refused it. */
export type Results = (HistoryValue | undefined | typeof FRESH)[] | null;

/** On the state before the transaction: it sees nothing of itself but its own reservations. */
export function execute(model: Model, visit: Visit): Results {
  const own: Step[] = [];
  try {
    return visit.operations.map(({ op, args, result: seen }) => {
      const result = model.execute(op, args, own);
      own.push({ op, args, result: result === FRESH ? seen : result });
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Applies the changes, in the order of issue, with these results; of a visit that is refused, nothing. */
export function apply(model: Model, visit: Visit, results: Results): void {
  if (results === null) return;
  visit.operations.forEach(({ op, args, result: seen }, i) => {
    const result = results[i];
    model.commit(op, args, result === FRESH ? seen : result);
  });
}

/** A copy of the state of `record` before the transaction at `place`, as the replay comes by. */
export type BeforeVisit = (place: number, visit: Visit, model: Model) => void;

/** Records as the models have them, by name. */
export type States = Map<string, Model>;

/** Who drew an identifier. */
export interface Given {
  id: string;
  name: string;
}

/** `states` and `given`: what stands before; they are brought to what stands afterwards. */
export function replay(
  committed: readonly Committed[],
  beforeVisit: BeforeVisit,
  states: States = new Map(),
  given: Map<string, Given> = new Map(),
): Violation[] {
  const violations: Violation[] = [];
  committed.forEach((transaction, place) => {
    for (const visit of transaction.visits) {
      let model = states.get(visit.record);
      if (model === undefined) states.set(visit.record, (model = modelOf(visit.type)));
      beforeVisit(place, visit, model);
      const results = execute(model, visit);
      violations.push(...wrongResults(committed, place, visit, results), ...givenAgain(committed, place, visit, results, given));
      // Goes on with what was seen: one mistake is told once.
      apply(model, visit, results === null ? null : results.map((result, i) => visit.operations[i]!.result ?? result));
    }
  });
  return violations;
}

function wrongResults(committed: readonly Committed[], place: number, visit: Visit, results: Results): Violation[] {
  const violation = (what: string): Violation => ({
    rule: 'result',
    text: `${nameOf(committed[place]!)}: ${what}\n${excerpt(committed, place, visit.record)}`,
    attempts: [committed[place]!.attempt.id],
  });
  if (results === null) return [violation(`${visit.operations.map(callText).join('; ')}: should have been refused`)];
  return visit.operations.flatMap((operation, i) => {
    const result = results[i];
    if (operation.result === undefined || result === FRESH || sameValue(operation.result, result)) return [];
    return [violation(`${callText(operation)}, but in timestamp order it is ${JSON.stringify(result)}`)];
  });
}

function givenAgain(
  committed: readonly Committed[],
  place: number,
  visit: Visit,
  results: Results,
  given: Map<string, Given>,
): Violation[] {
  return visit.operations.flatMap((operation, i) => {
    if (results?.[i] !== FRESH || operation.result === undefined) return [];
    const identifier = `${visit.record} ${JSON.stringify(operation.result)}`;
    const first = given.get(identifier);
    const second = { id: committed[place]!.attempt.id, name: nameOf(committed[place]!) };
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
