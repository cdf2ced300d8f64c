// Committed: the attempts of a history that took effect, in the order of their timestamps, as the rules look at them.

import type { HistoryAttempt, HistoryOperation } from '@claret/client';
import { changes } from './models/index.ts';

export interface Committed {
  readonly attempt: HistoryAttempt;
  readonly at: bigint;
  /** when its caller was told; never, where nobody was */
  readonly acknowledgedNs: number;
  /** its operations by record, each in the order issued */
  readonly visits: readonly Visit[];
}

/** What one transaction did to one record. */
export interface Visit {
  readonly record: string;
  readonly type: string;
  readonly operations: readonly HistoryOperation[];
  /** some operation is not only an observation */
  readonly changes: boolean;
}

export const recordOf = ({ type, key }: HistoryOperation): string => `${type} ${key}`;

export const mayChange = (attempt: HistoryAttempt): boolean => attempt.ops.some(({ type, op }) => changes(type, op));

/** `ignored`: records that nothing can be said about. */
export function committedOf(attempt: HistoryAttempt, order: string, ignored: ReadonlySet<string>): Committed {
  const visits = new Map<string, { record: string; type: string; operations: HistoryOperation[]; changes: boolean }>();
  for (const operation of attempt.ops) {
    const record = recordOf(operation);
    if (ignored.has(record)) continue;
    let visit = visits.get(record);
    if (visit === undefined) visits.set(record, (visit = { record, type: operation.type, operations: [], changes: false }));
    visit.operations.push(operation);
    visit.changes ||= changes(operation.type, operation.op);
  }
  return {
    attempt,
    at: BigInt(order),
    acknowledgedNs: attempt.outcome === 'ok' ? attempt.return : Infinity,
    visits: [...visits.values()],
  };
}
