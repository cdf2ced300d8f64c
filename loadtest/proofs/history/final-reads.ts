// The reads of each record at the end of a run. They show the history check effects that no transaction of the run observed.
import type { Claret, Description } from '@claret/client';

type Read = readonly [operation: string, ...args: unknown[]];

/** type → operations that together reveal (nearly) all of its state, with their arguments */
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
  List: [['range', 0, -1]],
};

/** One transaction for each record; `types` by key. */
export function finalReads(types: ReadonlyMap<string, string>): ((claret: Claret) => Description<unknown>[])[] {
  return [...types]
    .filter(([, type]) => type in READS)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, type]) => (claret) => {
      return READS[type]!.map(([operation, ...args]) => claret.describe(key, `${type}.${operation}`, args));
    });
}
