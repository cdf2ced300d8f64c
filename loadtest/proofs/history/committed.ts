// Committed: the attempts of a history that took effect, in the order of their timestamps, in the form that the rules use.

import type { HistoryAttempt, HistoryOperation } from '@claret/client';
import { changes } from './models/index.ts';
import { isInSteps } from './redis.ts';

export interface Committed {
  readonly attempt: HistoryAttempt;
  readonly at: bigint;
  /** when its caller got the outcome; Infinity: it never did */
  readonly acknowledgedNs: number;
  /** its operations by record, each in the order issued */
  readonly accesses: readonly Access[];
}

/** The operations of one transaction on one record. */
export interface Access {
  readonly record: string;
  readonly type: string;
  readonly operations: readonly HistoryOperation[];
  /** at least one operation is not only an observation */
  readonly changes: boolean;
  /** Each operation sees what those before it have changed. */
  readonly inSteps: boolean;
}

export const recordOf = ({ type, key }: HistoryOperation): string => `${type} ${key}`;

export const mayChange = (attempt: HistoryAttempt): boolean => attempt.ops.some(({ type, op }) => changes(type, op));

/** `ignored`: records whose state is unknown. */
export function committedOf(attempt: HistoryAttempt, order: string, ignored: ReadonlySet<string>): Committed {
  return {
    attempt,
    at: BigInt(order),
    acknowledgedNs: acknowledgedNs(attempt),
    accesses: accessesOf(attempt, ignored),
  };
}

export const acknowledgedNs = (attempt: HistoryAttempt): number => (attempt.outcome === 'ok' ? attempt.return : Infinity);

export function accessesOf(attempt: HistoryAttempt, ignored: ReadonlySet<string> = new Set()): Access[] {
  const inSteps = isInSteps(attempt);
  const accesses = new Map<string, Access & { operations: HistoryOperation[]; changes: boolean }>();
  for (const operation of attempt.ops) {
    const record = recordOf(operation);
    if (ignored.has(record)) continue;
    let access = accesses.get(record);
    if (access === undefined) accesses.set(record, (access = { record, type: operation.type, operations: [], changes: false, inSteps }));
    access.operations.push(operation);
    access.changes ||= changes(operation.type, operation.op);
  }
  return [...accesses.values()];
}
