// What is asked of each record at the end, so that an effect which nobody saw while it ran is seen by the history check.
import type { Claret, Description, HistoryAttempt } from '@claret/client';

/** type → an operation that tells (nearly) all of its state, with its arguments */
const READS: Readonly<Record<string, readonly [operation: string, ...args: unknown[]]>> = {
  Register: ['get'],
  Counter: ['value'],
};

/** One transaction for each record that the history knows. */
export function finalReads(history: readonly HistoryAttempt[]): ((claret: Claret) => Description<unknown>[])[] {
  const types = new Map<string, string>();
  for (const { ops } of history) for (const { key, type } of ops) if (type in READS) types.set(key, type);
  return [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, type]) => (claret) => {
    const [operation, ...args] = READS[type]!;
    return [claret.describe(key, `${type}.${operation}`, args)];
  });
}
