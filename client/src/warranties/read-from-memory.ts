// A list of readings that warranties answer as a whole, at one moment: a transaction without an attempt.

import { observes, type Call } from '../values/call.ts';
import type { WireValue } from '../values/values.ts';
import { isBefore, later, type Wide } from '../wire/wide.ts';
import type { Answer } from './grant-table.ts';
import type { Warranties } from './warranties.ts';

export interface ReadFromMemory {
  readonly values: readonly WireValue[];
  /** All of it is right at this timestamp. */
  readonly at: Wide;
}

/** Null: something has to be asked. Otherwise the grants are used. */
export function readFromMemory(list: readonly Call[], warranties: Warranties, nowMs: number): ReadFromMemory | null {
  if (!list.every(observes)) return null;
  warranties.look(nowMs);
  const answers: Answer[] = [];
  let at: Wide = { high: 0, low: 0 };
  for (const call of list) {
    const answer = warranties.table.answer(call, nowMs);
    if (answer === null) return null;
    answers.push(answer);
    at = later(at, later(answer.grant.from, answer.grant.holder.now));
  }
  if (answers.length === 0 || answers.some(({ grant }) => isBefore(grant.holder.until, at))) return null;
  for (const { grant } of answers) warranties.answered(grant, nowMs);
  warranties.committed(answers[0]!.grant);
  warranties.used(at);
  return { values: answers.map(({ value }) => value), at };
}
