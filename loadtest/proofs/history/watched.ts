// Watched: an EXEC takes effect only if nothing has changed the keys that its client watched, not even to the same value.
//
//   watched   an EXEC has taken effect behind a change that began after the WATCH was answered
import { recordOf, type Committed } from './committed.ts';
import type { RedisAttempt } from './redis.ts';
import { nameOf, type Violation } from './violation.ts';

/** `committed`: in timestamp order. */
export function checkWatched(committed: readonly Committed[]): Violation[] {
  return committed.flatMap((exec) => {
    const { watched } = exec.attempt as Partial<RedisAttempt>;
    if (watched === undefined || exec.attempt.outcome !== 'ok') return [];
    const records = new Set(exec.attempt.ops.filter(({ key }) => watched.keys.includes(key)).map(recordOf));
    const change = committed.find(({ at, attempt, accesses }) => {
      return at < exec.at && attempt.call > watched.sinceNs && accesses.some(({ record, changes }) => changes && records.has(record));
    });
    if (change === undefined) return [];
    const text = `${nameOf(exec)} took effect, although ${nameOf(change)} had changed ${watched.keys.join(' or ')} since the WATCH`;
    return [{ rule: 'watched' as const, text, attempts: [exec.attempt.id, change.attempt.id] }];
  });
}
