// Violation: a rule that a history breaks, with an explanation.

import type { HistoryOperation } from '@claret/client';
import type { Committed } from './committed.ts';

export type Rule =
  /** a result differs from that of the replay in timestamp order */
  | 'result'
  /** an identifier was returned twice */
  | 'fresh'
  /** no order of the transactions respects both their results and real time */
  | 'order'
  /** a committed attempt has no timestamp, the same as another, or a different one in the logs */
  | 'timestamp'
  /** acknowledged, but missing in the logs */
  | 'lost'
  /** reported as failed, but committed in the logs */
  | 'aborted'
  /** two attempts of one transaction took effect */
  | 'twice'
  /** a read of the past saw what was not so at its moment */
  | 'past'
  /** a snapshot transaction saw what was not so at its snapshot's time, or missed what was acknowledged before it began */
  | 'snapshot'
  /** a snapshot transaction changed what another had changed since its snapshot */
  | 'overtaken'
  /** what one EXEC or command of a Redis client did is not one step in the logs */
  | 'divided'
  /** an EXEC took effect although a key that it watched had changed */
  | 'watched'
  /** no order of the accesses to one record respects both their results and real time */
  | 'linear';

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

/** The accesses to the record around `position`, in timestamp order, one line each. */
export function excerpt(committed: readonly Committed[], position: number, record: string): string {
  const accessed = (from: number, step: 1 | -1, limit: number): number[] => {
    const positions: number[] = [];
    for (let i = from; i >= 0 && i < committed.length && positions.length < limit; i += step) {
      if (committed[i]!.accesses.some((access) => access.record === record)) positions.push(i);
    }
    return positions;
  };
  const positions = [...accessed(position - 1, -1, BEFORE).reverse(), position, ...accessed(position + 1, 1, AFTER)];
  return positions
    .map((i) => {
      const operations = committed[i]!.accesses.find((access) => access.record === record)?.operations ?? [];
      return `${i === position ? '  > ' : '    '}${nameOf(committed[i]!)}: ${operations.map(callText).join('; ')}`;
    })
    .join('\n');
}
