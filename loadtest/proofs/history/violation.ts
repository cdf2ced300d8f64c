// Violation: a rule that a history breaks, told so that a reader sees it.

import type { HistoryOperation } from '@claret/client';
import type { Committed } from './committed.ts';

export type Rule =
  /** a result is not the one that the replay in timestamp order gives */
  | 'result'
  /** an identifier was given twice */
  | 'fresh'
  /** no order of the transactions respects both what they saw and real time */
  | 'order'
  /** a committed attempt has no timestamp, or another one's, or the logs name another */
  | 'timestamp'
  /** acknowledged, but the logs do not have it */
  | 'lost'
  /** told as failed, but the logs have it */
  | 'aborted'
  /** two attempts of one transaction took effect */
  | 'twice';

export interface Violation {
  rule: Rule;
  text: string;
  /** ids of the attempts concerned */
  attempts: string[];
}

const BEFORE = 6;
const AFTER = 2;

export function callText({ type, op, key, args, result }: HistoryOperation): string {
  const answer = result === undefined ? '' : ` → ${JSON.stringify(result)}`;
  return `${type}.${op}(${args.map((argument) => JSON.stringify(argument)).join(', ')}) on ${key}${answer}`;
}

export function nameOf({ attempt, at }: Committed): string {
  return `@${at} ${attempt.label} ${attempt.id.slice(0, 8)}${attempt.process === '' ? '' : ` of ${attempt.process}`}`;
}

/** What was done to the record around `place`, in timestamp order, one line each. */
export function excerpt(committed: readonly Committed[], place: number, record: string): string {
  const visited = (from: number, step: 1 | -1, limit: number): number[] => {
    const places: number[] = [];
    for (let i = from; i >= 0 && i < committed.length && places.length < limit; i += step) {
      if (committed[i]!.visits.some((visit) => visit.record === record)) places.push(i);
    }
    return places;
  };
  const places = [...visited(place - 1, -1, BEFORE).reverse(), place, ...visited(place + 1, 1, AFTER)];
  return places
    .map((i) => {
      const operations = committed[i]!.visits.find((visit) => visit.record === record)?.operations ?? [];
      return `${i === place ? '  > ' : '    '}${nameOf(committed[i]!)}: ${operations.map(callText).join('; ')}`;
    })
    .join('\n');
}
