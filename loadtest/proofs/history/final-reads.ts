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

/** The reads of a record of an installed type; undefined: it is of another type. */
export type OwnReads = (claret: Claret, type: string, key: string) => readonly Description<unknown>[] | undefined;

/** One transaction for each record; `types` by key. Records of other types than those of READS are read if `own` says how. */
export function finalReads(types: ReadonlyMap<string, string>, own?: OwnReads): ((claret: Claret) => Description<unknown>[])[] {
  return [...types]
    .filter(([, type]) => type in READS || own !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, type]) => (claret) => {
      const reads = READS[type]?.map(([operation, ...args]) => claret.describe(key, `${type}.${operation}`, args));
      return [...(reads ?? own!(claret, type, key) ?? [])];
    });
}
