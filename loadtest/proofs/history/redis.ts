// What Redis clients saw: a command, or all of an EXEC, is one attempt. Their protocol has no timestamps and no ids. So each attempt that changes
// something has marks: arguments or results that no other attempt of the run has. By these it is found in the logs (redis-marks.ts). One that
// only observes gets a place among the others (placing.ts).
import type { HistoryAttempt, HistoryOperation } from '@claret/client';

/** The label of commands of Redis clients. Over several shards they are transactions of that name (gateway/src/resp/spreads.ts). */
export const REDIS_LABEL = '(redis)';

/** In the logs, a step on one shard has an id that begins so. */
export const STEP = 'native:';

/** `outcome`: "fail" after an error, "unknown" without a reply. */
export interface RedisAttempt extends HistoryAttempt {
  /** as `marksIn` finds them in its operations; none: it only observes */
  marks: string[];
  /** The EXEC has succeeded although these keys were watched since a WATCH that was answered at that time. */
  watched?: { keys: string[]; sinceNs: number };
}

/** As every tool reads it. */
export function bare(attempt: HistoryAttempt): HistoryAttempt {
  const { marks: _marks, watched: _watched, ...rest } = attempt as RedisAttempt;
  return rest;
}

/** Its operations see what those before it have changed. Not over several shards: there it is a transaction. */
export const isInSteps = ({ label, id }: HistoryAttempt): boolean => label === REDIS_LABEL && id.startsWith(STEP);

/** Not one that only the logs tell of. */
export const isOfRedis = (attempt: HistoryAttempt): attempt is RedisAttempt => attempt.label === REDIS_LABEL && 'marks' in attempt;

/** With operations of records as those of the types that the records have, by key: so they have models. */
export function typed(ops: readonly HistoryOperation[], types: ReadonlyMap<string, string>): HistoryOperation[] {
  return ops.map((op) => (op.type === 'Record' ? { ...op, type: types.get(op.key) ?? 'Register' } : op));
}
