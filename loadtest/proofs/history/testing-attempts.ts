// Attempts written by hand, for tests of the checks.

import { NATIVE_LABEL, type HistoryAttempt, type HistoryOperation, type HistoryValue } from '@claret/client';

/** "Set.add" on "s", with arguments and the result seen. */
export type Op = [name: string, key: string, args?: HistoryValue[], result?: HistoryValue];

/** The first attempt has the id 00000001…. */
let ids = 0;

/** Committed at `order`; ran from `call` to `return`. */
export function ok(order: number, [call, end]: [number, number], ...ops: Op[]): HistoryAttempt {
  return attempt({ outcome: 'ok', order: String(order), call, return: end, ops: ops.map(operation) });
}

/** A native of a process, executed at a time that does not matter. */
export function native(process: string, [call, end]: [number, number], op: Op): HistoryAttempt {
  return { ...ok(ids + 1, [call, end], op), process, label: NATIVE_LABEL };
}

export function attempt(fields: Partial<HistoryAttempt>): HistoryAttempt {
  const id = (++ids).toString(16).padStart(8, '0').padEnd(32, '0');
  return { id, transaction: id, process: 'p', label: 'T', call: 0, return: 1, outcome: 'ok', ops: [], ...fields };
}

export function operation([name, key, args = [], result]: Op): HistoryOperation {
  const [type, op] = name.split('.') as [string, string];
  return { key, type, op, args, ...(result === undefined ? {} : { result }) };
}
