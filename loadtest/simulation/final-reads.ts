// What is asked of each record at the end, so that an effect which nobody saw while it ran is seen by the history check.
import type { Claret, Description, HistoryAttempt } from '@claret/client';

type Read = readonly [operation: string, ...args: unknown[]];

/** type → operations that together tell (nearly) all of its state, with their arguments */
const READS: Readonly<Record<string, readonly Read[]>> = {
  Register: [['get']],
  Counter: [['value']],
  UIdGenerator: [['next']],
  Dict: [['all']],
  Set: [['size'], ['members', 1000, null]],
  ScoredSet: [['size'], ['range', 0, 999]],
  TopK: [['size'], ['top', 100]],
  SummaryBag: [['count'], ['mean'], ['min'], ['max'], ['variance']],
  BoundedCounter: [['value']],
  HyperLogLog: [['count']],
};

/** One transaction for each record that the history knows. */
export function finalReads(history: readonly HistoryAttempt[]): ((claret: Claret) => Description<unknown>[])[] {
  const types = new Map<string, string>();
  for (const { ops } of history) for (const { key, type } of ops) if (type in READS) types.set(key, type);
  return [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, type]) => (claret) => {
    return READS[type]!.map(([operation, ...args]) => claret.describe(key, `${type}.${operation}`, args));
  });
}
